# /// lesson
# needs = ["gpu", "triton"]
# memory = 32768
# timeout = 240
# ///
"""Many small kernels: launching them costs more than running them, and CUDA graphs launch them at once."""

import torch

from compile_lessons.bench import Comparison, measure
from compile_lessons.show import show

LAYERS = 40


@torch.inference_mode()
def small_layers(x, weights):
    for weight in weights:
        x = torch.relu(x @ weight)
    return x


weights = [torch.randn(64, 64, device="cuda") / 8 for _ in range(LAYERS)]
inputs = [(torch.randn(64, 64, device="cuda"), weights)]
modes = {
    "eager": small_layers,
    "compiled": torch.compile(small_layers),
    "reduce-overhead": torch.compile(small_layers, mode="reduce-overhead"),
}
found = {name: measure(name, function, inputs) for name, function in modes.items()}
show(Comparison(tuple(found.values())))

eager_us, compiled_us, graphs_us = (found[name].median * 1e6 for name in modes)
graphs_speedup = compiled_us / graphs_us
assert graphs_us < compiled_us
torch.testing.assert_close(modes["reduce-overhead"](*inputs[0]), small_layers(*inputs[0]), rtol=1e-3, atol=1e-3)
