# /// lesson
# needs = ["gpu", "triton"]
# memory = 60000
# timeout = 240
# ///
"""One denoising step of a UNet at 64 x 64 latents, in five steps."""

import os
import subprocess
import sys
from pathlib import Path

import torch
from _steps import Steps, cpu_name
from _unet import denoise, inputs
from torch.utils.flop_counter import FlopCounterMode

# region prepare
# another process compiles into the cache, with 12 workers
program = Path(__file__).with_name("_unet.py")
workers = os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "12"}
subprocess.run([sys.executable, "-W", "ignore", program], env=workers, check=True)

torch.set_grad_enabled(False)
unet, latents, *others = inputs()
parameters = sum(parameter.numel() for parameter in unet.parameters()) / 1e6
with FlopCounterMode(display=False) as counter:
    denoise(unet, latents, *others)
flops = counter.get_total_flops()
steps = Steps("share of 989 TFLOP/s")


def add(label, function, graph):
    steps.add(label, lambda: function(unet, latents, *others), flops / 989e12, graph)


# endregion
# region steps
add("eager", denoise, graph=False)
add("one CUDA graph", denoise, graph=True)
unet = unet.to(memory_format=torch.channels_last)
latents = latents.to(memory_format=torch.channels_last)
add("channels_last", denoise, graph=True)
compiled = torch.compile(denoise)
add("compiled, no graph", compiled, graph=False)
add("compiled, one graph", compiled, graph=True)
gpu = torch.cuda.get_device_name()
print(f"{gpu}, launched from {cpu_name()}; ms by kind of kernel")
steps.show()
# endregion
# region checks
eager_ms, graph_ms, layout_ms, launched_ms, compiled_ms = steps.ms
eager_kernels, _, _, _, compiled_kernels = steps.kernels
compiled_share = steps.shares[-1]
error = steps.error(4)
tera = flops / 1e12
assert error < 0.05
assert compiled_kernels < eager_kernels
# endregion
