"""A float32 region inside an autocast region: eager mode differentiates it in float32, compiled code doesn't."""

import torch
import torch._functorch.config

from compile_lessons import Table, show

torch.manual_seed(0)
linear, x = torch.nn.Linear(64, 64, bias=False), torch.randn(64, 64).bfloat16()


def precise(x):
    with torch.autocast("cpu", enabled=False):
        return x.float() @ linear.weight.T


def gradient(function):
    linear.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = function(x)
    y.square().sum().backward()  # outside of autocast, as PyTorch recommends
    return linear.weight.grad.clone()


eager, rows = gradient(precise), []
for assumption in ("same_as_forward", "off"):
    torch.compiler.reset()
    torch._functorch.config.backward_pass_autocast = assumption
    compiled = gradient(torch.compile(precise, backend="aot_eager"))
    rows.append([assumption, f"{((compiled - eager).norm() / eager.norm()).item():.0e}", torch.equal(compiled, eager)])
show(Table(["backward_pass_autocast", "relative difference", "equal to eager mode"], rows))
# region checks
assert [row[2] for row in rows] == [False, True]
# endregion
