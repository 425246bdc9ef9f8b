# /// lesson
# needs = ["compiler"]
# ///
"""Compile a model for several batch sizes, each with its own version."""

import torch

torch.compiler.config.recompile_limit = 64
model = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.GELU())
compiled = torch.compile(model, mode="reduce-overhead", dynamic=False)
with torch.inference_mode():
    for batch in (1, 16, 256):
        print(compiled(torch.randn(batch, 512)).shape)

# region checks
with torch.inference_mode():
    x = torch.randn(16, 512)
    torch.testing.assert_close(compiled(x), model(x))
# endregion
