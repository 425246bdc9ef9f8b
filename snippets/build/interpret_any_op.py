"""An operator that the backend has never heard of runs too: the interpreter calls it."""

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


interpreters, x = [], torch.tensor([3.0, 1.0, 7.0, 2.0])
backend = backend_of(lambda module: interpreters.append(Interpreter(module)) or interpreters[-1])
print(torch.compile(normalized, backend=backend, fullgraph=True)(x))
names = [name for name, _, _ in interpreters[0].profile()]
print(sorted(names))
# region checks
assert set(names) == {"lesson.median_gap.default", "aten.div.Tensor"}
assert torch.equal(torch.compile(normalized, backend=backend)(x), normalized(x))
# endregion
