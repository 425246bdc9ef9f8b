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

program, several = str(Path(__file__).with_name("_unet.py")), os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "12"}
subprocess.run([sys.executable, "-W", "ignore", program], env=several, check=True)  # with 12 workers, into the cache

torch.set_grad_enabled(False)
unet, latents, *others = inputs()
parameters = sum(p.numel() for p in unet.parameters()) / 1e6
with FlopCounterMode(display=False) as counter:
    denoise(unet, latents, *others)
flops, steps = counter.get_total_flops(), Steps("share of 989 TFLOP/s")


def add(label, function, graph):
    steps.add(label, lambda: function(unet, latents, *others), flops / 989e12, graph)


add("eager", denoise, graph=False)
add("one CUDA graph", denoise, graph=True)
unet, latents = (part.to(memory_format=torch.channels_last) for part in (unet, latents))
add("channels_last", denoise, graph=True)
compiled = torch.compile(denoise)
add("compiled, no graph", compiled, graph=False)
add("compiled, one graph", compiled, graph=True)
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}; ms by kind of kernel")
steps.show()
eager_ms, graph_ms, layout_ms, launched_ms, compiled_ms = steps.ms
eager_kernels, _, _, _, compiled_kernels = steps.kernels
compiled_share, error, tera = steps.shares[-1], steps.error(4), flops / 1e12
# region checks
assert error < 0.05 and compiled_kernels < eager_kernels
# endregion
