"""Describe the sizes in the call to torch.compile."""

import torch
from torch.fx.experimental.dynamic_spec import STATIC, ShapeVar, TensorSpec

from compile_lessons import keep_graphs


def double(x):
    return x * 2


kept = keep_graphs()
spec = {"x": TensorSpec([ShapeVar("batch"), STATIC])}
compiled = torch.compile(double, backend=kept, shapes_spec=spec)
for size in (4, 9, 1, 0):
    compiled(torch.ones(size, 3))

print("compiles:", len(kept.graphs))
kept.graphs[0].print_readable()
try:
    torch.compile(double, shapes_spec=spec, dynamic=True)(torch.ones(4, 3))
except ValueError as error:
    message = str(error)
    print("with dynamic=True:", message)

# region checks
assert len(kept.graphs) == 1
assert "cannot both be set" in message
# endregion
