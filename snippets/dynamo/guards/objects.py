"""Guard types of functions, classes and objects."""

import math

import torch

from compile_lessons import Table, capture, show


class Config:
    size = 2.5


def helper(x):
    return x + 1


config = Config()
functions = {
    "helper(x)": lambda x: helper(x),  # noqa: PLW0108 (its code reads the name)
    "x + math.sqrt(4)": lambda x: x + math.sqrt(4),
    "x + isinstance(config, Config)": lambda x: x + isinstance(config, Config),
    "x * config.size": lambda x: x * config.size,
    "x + hasattr(config, 'note')": lambda x: x + hasattr(config, "note"),
}
rows = []
seen = {"TENSOR_MATCH"}
for code, function in functions.items():
    guards = capture(function, until="dynamo")(torch.ones(4)).guards
    types = {guard.kind for guard in guards if guard.source}
    rows.append([code, ", ".join(sorted(types - seen))])
    seen |= types
show(Table(["code", "guard types not seen above"], rows))

# region checks
assert all(row[1] for row in rows)
# endregion
