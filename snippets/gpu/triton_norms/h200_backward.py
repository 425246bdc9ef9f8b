# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# ///
"""The gradients of RMSNorm on an H200: one pass over the rows against eager mode and Inductor."""

import torch
import torch.nn.functional as F
from rms_norm_backward import rms_norm_backward

from compile_lessons.bench import Comparison, limits, measure
from compile_lessons.show import show

best = limits("cuda", torch.bfloat16, size=2048, copied=2**29)
x, dy = (torch.randn(32768, 4096, device="cuda", dtype=torch.bfloat16) for _ in range(2))
weight = torch.randn(4096, device="cuda", dtype=torch.bfloat16).requires_grad_()
x.requires_grad_()


def backward_of(norm):
    """Return the backward pass of a norm whose forward pass has run."""
    y = norm(x, x.shape[-1:], weight, 1e-6)
    return lambda: torch.autograd.grad(y, (x, weight), dy, retain_graph=True)


def by_hand(stages):
    return lambda: rms_norm_backward(x.detach(), weight.detach(), dy, stages=stages)


calls = {"eager": backward_of(F.rms_norm), "Inductor": backward_of(torch.compile(F.rms_norm))}
calls |= {"by hand, 1 stage": by_hand(1), "by hand, 3 stages": by_hand(3)}
moved = 3 * x.nbytes  # x and dy are read, dx is written
times = {name: measure(name, lambda x, f=f: f(), [(x,)], cold=True, moved=moved) for name, f in calls.items()}
show(Comparison(tuple(times.values()), best))
share = times["by hand, 3 stages"].share(best)
against = {name: times["by hand, 3 stages"].median / time.median for name, time in times.items()}
against_eager, against_inductor, against_one_stage, _ = against.values()
# region checks
(dx, dweight), (expected_dx, expected_dweight) = by_hand(3)(), calls["eager"]()
torch.testing.assert_close(dx, expected_dx, atol=0.05, rtol=0.02)
torch.testing.assert_close(dweight, expected_dweight, atol=4, rtol=0.02)
# endregion
