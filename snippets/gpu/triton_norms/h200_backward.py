# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""The gradients of RMSNorm on an H200: by hand, in eager mode and by Inductor."""

from functools import partial

import torch
import torch.nn.functional as F
from rms_norm_backward import rms_norm_backward

from compile_lessons.bench import Comparison, limits, measure
from compile_lessons.show import show

best = limits("cuda", torch.bfloat16, size=2048, copied=2**29)
x = torch.randn(32768, 4096, device="cuda", dtype=torch.bfloat16)
dy = torch.randn_like(x)
weight = torch.randn(4096, device="cuda", dtype=torch.bfloat16).requires_grad_()
x.requires_grad_()


def backward_of(norm):
    """Return the backward pass of a norm whose forward pass has run."""
    y = norm(x, x.shape[-1:], weight, 1e-6)
    return lambda _: torch.autograd.grad(y, (x, weight), dy, retain_graph=True)


def by_hand(_, stages):
    return rms_norm_backward(x.detach(), weight.detach(), dy, stages=stages)


calls = {
    "eager": backward_of(F.rms_norm),
    "Inductor": backward_of(torch.compile(F.rms_norm)),
    "by hand, 1 stage": partial(by_hand, stages=1),
    "by hand, 3 stages": partial(by_hand, stages=3),
}
moved = 3 * x.nbytes  # x and dy are read, dx is written
times = {
    name: measure(name, call, [(x,)], cold=True, moved=moved)
    for name, call in calls.items()
}
show(Comparison(tuple(times.values()), best))
staged = times["by hand, 3 stages"]
share = staged.share(best)
against_eager = staged.median / times["eager"].median
against_inductor = staged.median / times["Inductor"].median
against_one_stage = staged.median / times["by hand, 1 stage"].median
# region checks
dx, dweight = calls["by hand, 3 stages"](x)
expected_dx, expected_dweight = calls["eager"](x)
torch.testing.assert_close(dx, expected_dx, atol=0.05, rtol=0.02)
torch.testing.assert_close(dweight, expected_dweight, atol=4, rtol=0.02)
# endregion
