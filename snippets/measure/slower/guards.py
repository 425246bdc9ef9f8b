# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]*']
# varies.values = ["eager_us", "compiled_us", "unguarded_us", "guards_us", "ratio"]
# ///
"""Guards of a model with many modules: each call checks them all, however little the model computes."""

import torch
from _paired import paired
from torch import nn


class Ensemble(nn.Module):
    """Two hundred small gates, of which each scales its input."""

    def __init__(self, size=200):
        super().__init__()
        self.gates = nn.ModuleList(nn.LayerNorm(8, elementwise_affine=True) for _ in range(size))

    def forward(self, x):
        return torch.stack([gate.weight * x + gate.bias for gate in self.gates]).sum(0)


model, x = Ensemble().eval(), torch.randn(8)
skip = torch.compiler.skip_guard_on_all_nn_modules_unsafe
functions = {
    "eager": model,
    "compiled": torch.compile(model),
    "compiled, guards on modules left out": torch.compile(model, options={"guard_filter_fn": skip}),
}
us = paired(functions, x)
for name, time in us.items():
    print(f"{name:37} {time:6,.0f} µs")
eager_us, compiled_us, unguarded_us = us.values()
guards_us, ratio = compiled_us - unguarded_us, compiled_us / eager_us

# region checks
with torch.inference_mode():
    torch.testing.assert_close(functions["compiled"](x), model(x))
# endregion
