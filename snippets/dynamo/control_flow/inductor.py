# /// lesson
# needs = ["compiler"]
# timeout = 300
# env = {TORCH_LOGS = "-all"}
# ///
"""map and scan under Inductor: what works, and what raises."""

import torch
from torch._higher_order_ops.map import map as map_over  # no public name
from torch._higher_order_ops.scan import scan  # no public name


# region cells
def double_rows(x):
    return map_over(lambda row: row * 2, x)


def cell(h, row):
    h = torch.tanh(h @ weight + row)
    return h, h.clone()


def cell_with_copies(h, row):
    h = torch.tanh(h @ weight + row)
    return h.clone(), h.clone()


# endregion


def scan_cell(x):
    return scan(cell, torch.zeros(3), x)[1]


def scan_cell_with_copies(x):
    return scan(cell_with_copies, torch.zeros(3), x)[1]


def outcome(compiled):
    try:
        return tuple(compiled(torch.ones(4, 3)).shape)
    except RuntimeError as error:
        lines = str(error).splitlines()
        return next(line for line in lines if "Error" in line or "Exception" in line)


weight = torch.rand(3, 3, requires_grad=True)
print("map:", outcome(torch.compile(double_rows)))
for function in (double_rows, scan_cell, scan_cell_with_copies):
    torch.compiler.reset()
    compiled = torch.compile(function, fullgraph=True)
    print(f"{function.__name__}, fullgraph=True:", outcome(compiled))

# region checks
x = torch.rand(4, 3)
h = torch.zeros(3)
states = []
for row in x:
    h = torch.tanh(h @ weight + row)
    states.append(h)
expected = torch.stack(states)
torch.testing.assert_close(compiled(x), expected)
[gradient] = torch.autograd.grad(compiled(x).square().sum(), weight)
torch.testing.assert_close(
    gradient, torch.autograd.grad(expected.square().sum(), weight)[0]
)
# endregion
