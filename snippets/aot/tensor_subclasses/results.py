"""A class attribute of a subclass, read from an input and from a result."""

import torch
from torch.utils._pytree import tree_leaves

from compile_lessons import Table, show


class Length(torch.Tensor):
    unit = "m"


class Carried(Length):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs or {})
        if isinstance(result, cls):
            result.unit = next(arg.unit for arg in tree_leaves(args) if isinstance(arg, cls))
        return result


programs = {
    'hasattr(x, "unit")': lambda x: hasattr(x, "unit"),
    'hasattr(x * 2, "unit")': lambda x: hasattr(x * 2, "unit"),
    'getattr(torch.cat([x, x]), "unit", None) == "m"': lambda x: getattr(torch.cat([x, x]), "unit", None) == "m",
    'type(x * 2).unit == "m"': lambda x: type(x * 2).unit == "m",
}
rows = []
for name, test in programs.items():
    row = [name]
    for kind in Length, Carried:
        torch.compiler.reset()
        x = torch.ones(3).as_subclass(kind)
        run = torch.compile(lambda x, test=test: torch.ones(()) if test(x) else torch.zeros(()), backend="eager")
        row.append("right" if bool(run(x)) == test(x) else "WRONG")
    rows.append(row)
show(Table(["expression", "Length", "Carried"], rows))
# region checks
assert [row[1] for row in rows] == ["right", "WRONG", "WRONG", "right"]
assert all(test(x) for test in programs.values()) and all(row[2] == "right" for row in rows)
# endregion
