# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""map and scan under Inductor: what works, and what raises."""

import torch
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.scan import scan


def doubled(x):
    return map_over(lambda row: row * 2, x)


def cell(h, row):
    h = torch.tanh(h @ weight + row)
    return h, h.clone()


def cell_with_copies(h, row):
    h = torch.tanh(h @ weight + row)
    return h.clone(), h.clone()


def run(cell):
    return lambda x: scan(cell, torch.zeros(3), x)[1]


def call(function, **options):
    torch.compiler.reset()
    try:
        return tuple(torch.compile(function, **options)(torch.ones(4, 3)).shape)
    except RuntimeError as error:
        return next(line for line in str(error).splitlines() if "Error" in line or "Exception" in line)


torch._logging.set_logs(all=50)  # no tracebacks in the log
weight = torch.rand(3, 3, requires_grad=True)
print("map:                               ", call(doubled))
print("map, fullgraph=True:               ", mapped := call(doubled, fullgraph=True))
print("cell, fullgraph=True:              ", call(run(cell), fullgraph=True))
print("cell_with_copies, fullgraph=True:  ", scanned := call(run(cell_with_copies), fullgraph=True))

# region checks
assert mapped == scanned == (4, 3)
h, x, states = torch.zeros(3), torch.rand(4, 3), []
for row in x:
    h = torch.tanh(h @ weight + row)
    states.append(h)
outputs = torch.compile(run(cell_with_copies), fullgraph=True)(x)  # the version that was compiled above
torch.testing.assert_close(outputs, torch.stack(states))
gradients = [torch.autograd.grad(y.square().sum(), weight)[0] for y in (outputs, torch.stack(states))]
torch.testing.assert_close(*gradients)
assert call(run(cell), fullgraph=True, backend="aot_eager") == (4, 3)
# endregion
