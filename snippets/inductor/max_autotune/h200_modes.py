# /// lesson
# needs = ["gpu", "triton"]
# timeout = 400
# memory = 32768
# env = {TORCHINDUCTOR_COMPILE_THREADS = "16"}
# ///
"""Time of a call in three modes, measured in turn, and of the first call, in a process of its own for each mode."""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

import torch
from _layer import ROWS, inputs, layer
from triton.testing import do_bench

from compile_lessons import Table, show

modes = ("default", "max-autotune-no-cudagraphs", "max-autotune")
first = {}
for mode in modes:
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": empty}
        command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("_layer.py")), mode]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    first[mode] = [float(seconds) for seconds in run.stdout.split()]

table, medians = [], {}
for at, rows in enumerate(ROWS):
    arguments, times = inputs(rows), {mode: [] for mode in modes}
    with torch.inference_mode():
        compiled = {mode: partial(torch.compile(layer, mode=mode, dynamic=False), *arguments) for mode in modes}
        for mode in [*modes] * 8:
            times[mode].append(do_bench(compiled[mode], rep=50, return_mode="median") * 1e3)
    for mode, (_, *samples) in times.items():
        medians[rows, mode] = median(samples)
        spread = f"{min(samples):.1f} to {max(samples):.1f}"
        relative = f"{median(samples) / medians[rows, 'default']:.2f}"
        table.append([rows, mode, f"{first[mode][at]:.1f} s", f"{median(samples):.1f}", spread, relative])
show(Table(["rows", "mode", "first call", "µs", "of seven", "of default"], table))
# region checks
assert len(table) == len(ROWS) * len(modes)
# endregion
