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

# region prepare
# another process compiles each variant into its cache
program = Path(__file__).with_name("_gpt2.py")
os.environ["COMMON_CACHE"] = os.environ["TORCHINDUCTOR_CACHE_DIR"]
workers = os.environ | {"TORCHINDUCTOR_COMPILE_THREADS": "5"}
command = [sys.executable, "-W", "ignore", program]
compiling = [subprocess.Popen([*command, name], env=workers) for name in VARIANTS]
assert [process.wait() for process in compiling] == [0, 0, 0]

flops = flops_per_token() * BATCH * LENGTH
steps = Steps("share of 989 TFLOP/s")
peaks = []


def add(label, vocabulary, attention, residual, compiled=True, graph=False):
    gc.collect()
    torch.compiler.reset()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    step = training_step(vocabulary, attention, residual, compiled, capturable=graph)
    steps.add(label, step, flops / 989e12, graph=graph, calls=3)
    peaks.append(torch.cuda.max_memory_allocated() / 2**30)


# endregion
# region steps
_, flash, wide = VARIANTS["flash"]
add("eager", 50257, flash, wide, compiled=False)
add("vocabulary of 50304", 50304, flash, wide, compiled=False)
cache_of("flash")
add("compiled", *VARIANTS["flash"])
cache_of("cudnn")
add("cuDNN's attention", *VARIANTS["cudnn"])
cache_of("bf16")
add("residual in bf16", *VARIANTS["bf16"])
add("one CUDA graph", *VARIANTS["bf16"], graph=True)
gpu = torch.cuda.get_device_name()
print(f"{gpu}, launched from {cpu_name()}; ms by kind of kernel")
steps.show()
# endregion
# region checks
eager_ms, padded_ms, compiled_ms, cudnn_ms, bf16_ms, graph_ms = steps.ms
eager_share, *_, graph_share = steps.shares
eager_gib, padded_gib, compiled_gib, *_ = peaks
tera = flops / 1e12
losses = [float(result) for result in steps.results if result is not None]
assert max(losses) - min(losses) < 2
assert max(losses) < 11
# endregion
