# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS = "cudagraphs", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['data_ptr=0x[0-9A-F]+']
# ///
"""Four steps of two compiled functions: what torch logs in each step."""

import torch


@torch.compile(mode="reduce-overhead")
def encode(x):
    return torch.sin(x) * 2


@torch.compile(mode="reduce-overhead")
def decode(h):
    return torch.cos(h) + 1


x = torch.randn(1024, device="cuda")
for step in range(1, 5):
    print(f"step {step}", flush=True)
    torch.compiler.cudagraph_mark_step_begin()
    result = decode(encode(x))
# region checks
assert torch.allclose(result, torch.cos(torch.sin(x) * 2) + 1, atol=1e-6)
# endregion
