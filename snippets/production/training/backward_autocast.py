"""A float32 region inside autocast: its compiled gradient isn't float32."""

import torch
import torch._functorch.config

from compile_lessons import Table, show

torch.manual_seed(0)
linear = torch.nn.Linear(64, 64, bias=False)
x = torch.randn(64, 64).bfloat16()


def precise(x):
    with torch.autocast("cpu", enabled=False):
        return x.float() @ linear.weight.T


def gradient(function):
    linear.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = function(x)
    y.square().sum().backward()  # outside of autocast, as PyTorch recommends
    return linear.weight.grad.clone()


eager = gradient(precise)
rows = []
for assumption in ("same_as_forward", "off"):
    torch.compiler.reset()
    torch._functorch.config.backward_pass_autocast = assumption
    compiled = gradient(torch.compile(precise, backend="aot_eager"))
    difference = (compiled - eager).norm() / eager.norm()
    rows.append([assumption, f"{difference:.0e}", torch.equal(compiled, eager)])
columns = ["backward_pass_autocast", "relative difference", "equal to eager mode"]
show(Table(columns, rows))

# region checks
assert [row[2] for row in rows] == [False, True]
# endregion
