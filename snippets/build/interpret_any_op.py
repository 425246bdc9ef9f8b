"""An operator that the backend doesn't know runs, too: the interpreter calls it."""

import torch
from _step2_interpret import Interpreter, backend_of


@torch.library.custom_op("lesson::median_gap", mutates_args=())
def median_gap(x: torch.Tensor) -> torch.Tensor:
    return x.sort().values.diff().median()


@median_gap.register_fake
def _(x):
    return x.new_empty(())


def normalized(x):
    return x / median_gap(x)


def interpret(graph_module):
    interpreters.append(Interpreter(graph_module))
    return interpreters[-1]


interpreters = []
x = torch.tensor([3.0, 1.0, 7.0, 2.0])
compiled = torch.compile(normalized, backend=backend_of(interpret), fullgraph=True)
result = compiled(x)
print(result)
names = sorted(name for name, _, _ in interpreters[0].profile())
print(names)
# region checks
assert names == ["aten.div.Tensor", "lesson.median_gap.default"]
assert torch.equal(result, normalized(x))
# endregion
