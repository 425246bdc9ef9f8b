# /// lesson
# needs = ["compiler"]
# ///
"""Compile with CUDA graphs, and keep an output for longer than one step."""

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
layer = torch.nn.Linear(512, 512, device=device)
compiled = torch.compile(layer, mode="reduce-overhead")
with torch.inference_mode():
    for _ in range(3):
        torch.compiler.cudagraph_mark_step_begin()
        output = compiled(torch.randn(1, 512, device=device))
        kept = output.clone()  # the next step overwrites output
print(kept.shape, kept.device)

# region checks
assert output.shape == (1, 512)
# endregion
