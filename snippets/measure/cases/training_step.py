# /// lesson
# needs = ["gpu", "triton"]
# memory = 100000
# timeout = 300
# ///
"""A training step of GPT-2 (124 million parameters), 32 x 1024 tokens, in six steps."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import torch
from _gpt2 import BATCH, LENGTH, VARIANTS, cache_of, flops_per_token, training_step
from _steps import Steps, cpu_name

program = Path(__file__).with_name("_gpt2.py")
os.environ["COMMON_CACHE"] = os.environ["TORCHINDUCTOR_CACHE_DIR"]
several = os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "5"}
compiling = [subprocess.Popen([sys.executable, "-W", "ignore", str(program), name], env=several) for name in VARIANTS]
assert [process.wait() for process in compiling] == [0] * len(compiling)

steps, flops, peaks = Steps("share of 989 TFLOP/s"), flops_per_token() * BATCH * LENGTH, []


def add(label, vocabulary, attention, residual, compiled=True, graph=False):
    gc.collect()
    torch.compiler.reset()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    step = training_step(vocabulary, attention, residual, compiled, capturable=graph)
    steps.add(label, step, flops / 989e12, graph=graph, calls=3)
    peaks.append(torch.cuda.max_memory_allocated() / 2**30)


_, flash, wide = VARIANTS["flash"]
add("eager", 50257, flash, wide, compiled=False)
add("vocabulary of 50304", 50304, flash, wide, compiled=False)
for label, variant in (("compiled", "flash"), ("cuDNN's attention", "cudnn"), ("residual in bf16", "bf16")):
    cache_of(variant)
    add(label, *VARIANTS[variant])
add("one CUDA graph", *VARIANTS["bf16"], graph=True)
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}; ms by kind of kernel")
steps.show()

# region checks
eager_ms, padded_ms, compiled_ms, cudnn_ms, bf16_ms, graph_ms = steps.ms
eager_share, padded_share, compiled_share, cudnn_share, bf16_share, graph_share = steps.shares
eager_gib, padded_gib, compiled_gib, cudnn_gib, bf16_gib, graph_gib = peaks
padded_rate, compiled_rate, bf16_rate, graph_rate = (
    BATCH * LENGTH / ms for ms in (padded_ms, compiled_ms, bf16_ms, graph_ms)
)  # thousands of tokens per second
tera = flops / 1e12
losses = [float(result) for result in steps.results if result is not None]
assert max(losses) - min(losses) < 2 and all(loss < 11 for loss in losses)
# endregion
