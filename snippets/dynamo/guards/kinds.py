"""Which code makes which guard."""

import math

import torch

from compile_lessons import Table, show


class Plain:
    size = 2.5


plain, table, letters = Plain(), {"a": 1}, {"p", "q"}
linear = torch.nn.Linear(4, 4)


def look(entries):
    found.extend((entry.guard_type, entry.name) for entry in entries)
    return [True for entry in entries]


def helper(x):
    return x + 1


examples = {
    "x + 1": (lambda x, v: x + 1, None),
    "x * v, v = 3": (lambda x, v: x * v, 3),
    "x + v[0], v = [1, 2]": (lambda x, v: x + v[0], [1, 2]),
    "helper(x)": (lambda x, v: helper(x), None),
    "isinstance(v, dict)": (lambda x, v: x + isinstance(v, dict), 2),
    "isinstance(v, Plain)": (lambda x, v: x + isinstance(v, Plain), 2),
    "math.sqrt(4)": (lambda x, v: x + math.sqrt(4), None),
    "table['a']": (lambda x, v: x + table["a"], None),
    "'b' in table": (lambda x, v: x + ("b" in table), None),
    "for k in table": (lambda x, v: x + sum(len(k) for k in table), None),
    "'p' in letters": (lambda x, v: x + ("p" in letters), None),
    "plain.size": (lambda x, v: x * plain.size, None),
    "hasattr(plain, 'none')": (lambda x, v: x + hasattr(plain, "none"), None),
    "linear(x)": (lambda x, v: linear(x), None),
    "x + v, v is x": (lambda x, v: x + v, "x"),
}
rows, seen = [], set()
for code, (function, value) in examples.items():
    found, x = [], torch.ones(4)
    torch.compile(function, backend="eager", options={"guard_filter_fn": look})(x, x if value == "x" else value)
    new = [kind for kind in dict.fromkeys(kind for kind, name in found if name) if kind not in seen]
    seen.update(new)
    rows.append([code, ", ".join(new)])
show(Table(["code", "guard types not seen above"], rows))
ambient = sorted({kind for kind, name in found if not name})
print("in every function:", *ambient, sep="\n    ")

user_kinds, ambient_kinds = len(seen), len(ambient)
assert {"TENSOR_MATCH", "CONSTANT_MATCH", "SEQUENCE_LENGTH", "CLOSURE_MATCH", "DUPLICATE_INPUT"} <= seen
assert "GLOBAL_STATE" in ambient and "GRAD_MODE" in ambient
