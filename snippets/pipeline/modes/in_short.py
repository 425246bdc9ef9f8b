# /// lesson
# needs = ["compiler"]
# ///
"""reduce-overhead in a loop: mark each step, and clone an output that you keep."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.GELU())
compiled = torch.compile(model, mode="reduce-overhead")
for batch in torch.randn(3, 2, 4):
    torch.compiler.cudagraph_mark_step_begin()
    output = compiled(batch).clone()  # the next step may overwrite the output

# region checks
torch.testing.assert_close(output, model(batch))
# endregion
