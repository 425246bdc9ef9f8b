"""Six subclasses, of which four work in eager mode, under torch.compile."""

import torch
from _wrapper import Incomplete, Wrapper

from compile_lessons import Table, count_breaks, show


def not_handled(cls, operator, types, args, kwargs=None):
    raise NotImplementedError(f"no {operator}")


def outcome(function, x):
    try:
        return "right" if torch.equal(function(x), torch.ones(3) + 1) else "WRONG"
    except Exception as error:
        return " ".join(str(error).split())


raises = {"__torch_dispatch__": classmethod(not_handled)}
mistakes = {
    "no methods at all": (torch.Tensor, {}),
    "no __tensor_flatten__": (Incomplete, {}),
    "metadata without __eq__": (Wrapper, {"__tensor_flatten__": lambda x: (["inner"], object())}),
    "an if on elements": (Wrapper, {"unwrap": lambda x: x.inner if x.inner.sum() > 0 else -x.inner}),
    "add isn't handled": (Wrapper, raises),
    "the same, with __repr__": (Wrapper, {**raises, "__repr__": lambda x: "Mistake()"}),
}
rows = []
for name, (base, methods) in mistakes.items():
    torch.compiler.reset()
    kind = type("Mistake", (base,), methods)
    x = torch.ones(3).as_subclass(kind) if base is torch.Tensor else kind(torch.ones(3))
    compiled = torch.compile(lambda x: x + 1, backend="aot_eager")
    first, second = outcome(compiled, x), outcome(compiled, x)
    breaks = count_breaks(lambda x: x + 1)(x) if second == "right" else ""
    rows.append([name, first[:75], second if second == "right" else "error", breaks])
show(Table(["mistake", "first call", "second call", "graph breaks"], rows))
# region checks
assert [row[2] for row in rows] == ["right", "right", "error", "right", "error", "error"]
assert [row[3] for row in rows[:2]] == [0, 1] and rows[3][3] > 0
assert [row[1][:19] for row in rows[:4]] == ["Multiple dispatch f", "right", "Guard failed on the", "right"]
assert "no aten.view.default" in rows[4][1] and rows[5][1] == "no aten.add.Tensor"
# endregion
