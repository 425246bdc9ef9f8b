# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""A training step for CUDA, with autocast and an optimizer, compiled without a GPU."""

import torch
import torch.nn.functional as F
from torch import nn

from compile_lessons import Table, capture, show

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x, y):
    x = x.to("cuda")
    y = y.cuda()
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()


x = torch.randn(32, 64)
y = torch.randint(10, (32,))
pipeline = capture(train_step, target="h200", machine_code=False)(x, y)
kernels = [kernel for kernel in pipeline.kernels if kernel.kind == "triton"]
show(Table(["kernel"], [[kernel.name] for kernel in kernels]))

casts = sum("to_copy" in kernel.name for kernel in kernels)
of_optimizer = kernels[-1].name
# region checks
assert pipeline.failures == ()
assert casts >= 3
assert of_optimizer == "triton_for_fused_0"
# endregion
