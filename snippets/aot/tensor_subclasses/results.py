"""A class attribute of a subclass, read from an input and from a result."""

import torch
from torch.utils._pytree import tree_leaves

from compile_lessons import Table, show


# region classes
class Length(torch.Tensor):
    unit = "m"


class Carried(Length):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs or {})
        if isinstance(result, cls):
            lengths = [arg for arg in tree_leaves(args) if isinstance(arg, cls)]
            result.unit = lengths[0].unit
        return result


# endregion
def input_has_unit(x):
    return hasattr(x, "unit")


def result_has_unit(x):
    return hasattr(x * 2, "unit")


def unit_of_result(x):
    return getattr(torch.cat([x, x]), "unit", None) == "m"


def unit_of_its_class(x):
    return type(x * 2).unit == "m"


def outcome(test, kind):
    def run(x):
        return torch.ones(()) if test(x) else torch.zeros(())

    torch.compiler.reset()
    x = torch.ones(3).as_subclass(kind)
    compiled = torch.compile(run, backend="eager")
    return "right" if torch.equal(compiled(x), run(x)) else "WRONG"


rows = []
for test in (input_has_unit, result_has_unit, unit_of_result, unit_of_its_class):
    rows.append([test.__name__, outcome(test, Length), outcome(test, Carried)])
show(Table(["function", "Length", "Carried"], rows))
# region checks
assert [row[1] for row in rows] == ["right", "WRONG", "WRONG", "right"]
assert {row[2] for row in rows} == {"right"}
assert unit_of_result(torch.ones(3).as_subclass(Carried))
# endregion
