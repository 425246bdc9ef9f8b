# /// lesson
# needs = ["compiler"]
# varies.output = ['(?s).+']
# ///
"""With frozen weights, max-autotune has a choice on a CPU too."""

import warnings

import torch
import torch._inductor.config

warnings.simplefilter("ignore")
model = torch.nn.Sequential(torch.nn.Linear(128, 256), torch.nn.ReLU()).eval()
x = torch.randn(64, 128)
torch._inductor.config.freezing = True  # before the first call; inference only
compiled = torch.compile(model, mode="max-autotune")
with torch.no_grad():
    y = compiled(x)

# region checks
torch.testing.assert_close(y, model(x), rtol=1e-4, atol=1e-4)
with torch.no_grad():
    model[0].weight.add_(1)
    # the compiled code keeps its own copy, in a different layout
    assert torch.equal(compiled(x), y)
    assert not torch.allclose(model(x), y)
# endregion
