"""How a program reads an environment variable decides whether a guard checks it."""

import os

import torch

from compile_lessons import Table, show


# region reads
def with_item(x):
    return x * float(os.environ["SCALE"])


def with_get(x):
    return x * float(os.environ.get("SCALE", "1"))


def with_getenv(x):
    return x * float(os.getenv("SCALE", "1"))


# endregion


def set_scale(scale):
    if scale == "unset":
        os.environ.pop("SCALE", None)
    else:
        os.environ["SCALE"] = scale


def call_with(function, scales):
    results = []
    for scale in scales:
        set_scale(scale)
        try:
            results.append(f"{function(torch.ones(1)).item():.0f}")
        except KeyError:
            results.append("KeyError")
    return ", ".join(results)


def compiled(function):
    torch.compiler.reset()
    return torch.compile(function, backend="eager")


set_first = ["2", "3"]
unset_first = ["unset", "2", "3"]
in_eager_mode = [call_with(with_get, set_first), call_with(with_get, unset_first)]
rows = [["eager mode", *in_eager_mode]]
for function in (with_item, with_get, with_getenv):
    when_set = call_with(compiled(function), set_first)
    when_unset = call_with(compiled(function), unset_first)
    rows.append([function.__name__, when_set, when_unset])
show(Table(["function", "SCALE is 2, 3", "SCALE is unset, 2, 3"], rows))

# region checks
assert [row[1] for row in rows] == ["2, 3", "2, 3", "2, 3", "2, 2"]
assert [row[2] for row in rows] == ["1, 2, 3", "KeyError, 2, 3", "1, 1, 1", "1, 1, 1"]
# endregion
