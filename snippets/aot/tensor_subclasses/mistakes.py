"""Six subclasses, of which four work in eager mode, under torch.compile."""

import torch
from _wrapper import Incomplete, Wrapper

from compile_lessons import Table, count_breaks, show


# region mistakes
class NoMethods(torch.Tensor):
    """no methods at all"""


class NoFlatten(Incomplete):
    """no __tensor_flatten__"""


class Metadata(Wrapper):
    """metadata without __eq__"""

    def __tensor_flatten__(self):
        return ["inner"], object()


class Branch(Wrapper):
    """an if on elements"""

    def unwrap(self):
        return self.inner if self.inner.sum() > 0 else -self.inner


class NotHandled(Wrapper):
    """add isn't handled"""

    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        raise NotImplementedError(f"no {operator}")


class WithRepr(NotHandled):
    """the same, with __repr__"""

    def __repr__(self):
        return "WithRepr()"


# endregion
def add_one(x):
    return x + 1


def outcome(function, x):
    try:
        return "right" if torch.equal(function(x), torch.full((3,), 2.0)) else "WRONG"
    except Exception as error:
        return " ".join(str(error).split())


def row(kind):
    torch.compiler.reset()
    plain = torch.ones(3)
    x = plain.as_subclass(kind) if kind is NoMethods else kind(plain)
    compiled = torch.compile(add_one, backend="aot_eager")
    first = outcome(compiled, x)
    second = outcome(compiled, x)
    if second != "right":
        return [kind.__doc__, first[:75], "error", ""]
    return [kind.__doc__, first[:75], second, count_breaks(add_one)(x)]


rows = [
    row(kind) for kind in (NoMethods, NoFlatten, Metadata, Branch, NotHandled, WithRepr)
]
show(Table(["mistake", "first call", "second call", "graph breaks"], rows))
# region checks
no_methods, no_flatten, metadata, branch, not_handled, with_repr = (r[1:] for r in rows)
assert no_methods[0].startswith("Multiple dispatch f")
assert no_methods[1:] == ["right", 0]
assert no_flatten == ["right", "right", 1]
assert metadata[0].startswith("Guard failed on the")
assert branch[:2] == ["right", "right"]
assert branch[2] > 0
assert "no aten.view.default" in not_handled[0]
assert with_repr[0] == "no aten.add.Tensor"
assert metadata[1] == not_handled[1] == with_repr[1] == "error"
# endregion
