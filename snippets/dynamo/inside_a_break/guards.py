"""Each piece has guards of its own."""

import torch
from torch._dynamo.convert_frame import register_bytecode_hook

from compile_lessons import Table, show


def scaled(x, scale):
    y = torch.relu(x)
    print(end="")
    return y * scale["factor"]


compiled = torch.compile(scaled, backend="eager")
rows, frames = [], []
register_bytecode_hook(lambda before, after: frames.append(before.co_name))
for factor in (2.0, 2.0, 2):
    frames.clear()
    compiled(torch.ones(3), {"factor": factor})
    rows.append([repr(factor), ", ".join(frames) or "nothing"])

show(Table(["factor", "compiled in this call"], rows))
resume = "torch_dynamo_resume_in_scaled_at_11"
assert [row[1] for row in rows] == [f"scaled, {resume}", "nothing", resume]
