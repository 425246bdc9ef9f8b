# /// lesson
# needs = ["compiler"]
# ///
"""Which lines of your program each kernel computes."""

import json
import tempfile
from pathlib import Path

import torch
from _traced import call_traced


@torch.compile
def loss(x, w):
    hidden = torch.relu(x @ w)
    scaled = hidden / hidden.norm()
    return (scaled + 1).log().sum()


def evaluate():
    # INDUCTOR_PROVENANCE=1; torch has no public name for this setting
    torch._inductor.config.trace.provenance_tracking_level = 1
    loss(torch.ones(64, 64), torch.ones(64, 64))


def payload(log, kind):
    for entry in log.read_text().split("\nV"):
        head, _, text = entry.partition("\n")
        if kind in head:
            return json.loads(text)
    return None


folder = Path(tempfile.mkdtemp())
call_traced(evaluate, folder)  # TORCH_TRACE=… python …
[log] = folder.iterdir()
kernels = payload(log, "inductor_provenance_tracking_kernel_stack_traces")
for kernel, stacks in kernels.items():
    print(kernel.split(":")[0])
    for stack in stacks:
        print("   ", stack.splitlines()[1].strip())

# region checks
[product] = [name for name in kernels if "mm" in name]
assert any("x @ w" in stack for stack in kernels[product])
assert not any("log()" in stack for stack in kernels[product])
# endregion
