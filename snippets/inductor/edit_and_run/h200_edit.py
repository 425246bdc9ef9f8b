# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# timeout = 300
# env = {TORCHINDUCTOR_BENCHMARK_KERNEL = "1", TORCHINDUCTOR_COMPILE_THREADS = "1"}
# ///
"""Change one line of a kernel, run the file alone, and compare times and results."""

import re
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

# private: what TORCH_LOGS=output_code prints, as a string
from torch._inductor.utils import run_and_get_code

from compile_lessons import Table, show


def brighten(image):
    return ((image / 255) ** (1 / 2.2)).bfloat16()


shape = (8, 3, 2048, 2048)
image = torch.randint(0, 256, shape, dtype=torch.uint8, device="cuda")
expected, [code] = run_and_get_code(torch.compile(brighten), image)
pow_call = r"libdevice\.pow\((\w+), (\w+)\)"
edited = re.sub(pow_call, r"tl.exp2(\2 * tl.log2(\1))", code)
no_math = re.sub(pow_call, r"\1", code)

folder = Path(tempfile.mkdtemp())
sources = {"as written": code, "exp2(log2)": edited, "without pow": no_math}
rows = []
for name, source in sources.items():
    file = folder / "output_code.py"
    file.write_text(source)
    command = [sys.executable, str(file), "--benchmark-kernels"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    print(f"{name}: {run.stdout.strip()}")
    call = runpy.run_path(str(file))["call"]
    [result] = call([image.clone()])
    different = (result != expected).float().mean().item()
    largest = (result.float() - expected.float()).abs().max().item()
    rows.append([name, f"{different:.2%}", f"{largest:.3g}"])
show(Table(["the kernel", "different elements", "largest difference"], rows))
# region checks
assert edited != code
assert rows[0][1] == "0.00%"
# endregion
