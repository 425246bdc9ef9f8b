# /// lesson
# needs = ["compiler"]
# ///
"""Compare three backends with eager mode."""

import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU())
x = torch.randn(4, 8)
for backend in ("eager", "aot_eager", "inductor"):
    torch.compiler.reset()
    compiled = torch.compile(model, backend=backend)
    torch.testing.assert_close(compiled(x), model(x))
    print(backend, "matches eager mode")

# region checks
assert backend == "inductor"
# endregion
