# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# timeout = 300
# env = {TORCHINDUCTOR_BENCHMARK_KERNEL = "1", TORCHINDUCTOR_COMPILE_THREADS = "1"}
# ///
"""Run an output-code file: the whole call, each kernel, and each configuration."""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch

# private: what TORCH_LOGS=output_code prints, as a string
from torch._inductor.utils import run_and_get_code


def normalize(x, y):
    return torch.softmax(x + y.t(), -1).sum(0)


x = torch.randn(8192, 8192, device="cuda")
options = {"max_autotune_pointwise": True}
compiled = torch.compile(normalize, options=options)
_, [code] = run_and_get_code(compiled, x, x.clone())
file = Path(tempfile.mkdtemp()) / "output_code.py"
file.write_text(code)
for flags in ([], ["--benchmark-kernels"], ["--benchmark-kernels", "-c"]):
    print(" ".join(["python", file.name, *flags]))
    command = [sys.executable, str(file), *flags]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    print(run.stdout)
# region checks
assert "GB/s" in run.stdout
assert "XBLOCK" in run.stdout
# endregion
