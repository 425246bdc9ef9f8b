# /// lesson
# needs = ["compiler"]
# ///
"""Compile each size before the first request, then forbid compiles."""

import torch

torch.compiler.config.fail_on_recompile_limit_hit = True
model = torch.nn.Linear(64, 8)
compiled = torch.compile(model, dynamic=False, recompile_limit=64)


def serve(batch):
    with torch.inference_mode():
        return compiled(batch)


for size in (1, 2, 4, 8):  # pad each request to one of these
    serve(torch.randn(size, 64))
torch.compiler.set_stance("fail_on_recompile")
print(serve(torch.randn(4, 64)).shape)

# region checks
x = torch.randn(8, 64)
torch.testing.assert_close(serve(x), model(x))
# endregion
