# /// lesson
# needs = ["gpu", "triton"]
# data = ["_first_calls.py"]
# memory = 32768
# timeout = 420
# ///
"""The first calls in each mode, each in a process of its own with empty caches."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from compile_lessons import Table, show

program = Path(__file__).with_name("_first_calls.py")
modes, rounds = ("default", "reduce-overhead", "max-autotune"), 3
samples = {mode: [] for mode in modes}
for turn in range(rounds):
    for mode in modes[turn:] + modes[:turn]:  # each mode is first, second and last once
        with tempfile.TemporaryDirectory() as empty:
            environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": empty}
            command = [sys.executable, "-W", "ignore", str(program), mode]
            run = subprocess.run(
                command, env=environment, capture_output=True, text=True
            )
        if run.returncode:  # otherwise the log of autotuning is of no interest here
            raise RuntimeError(run.stderr)
        samples[mode].append([float(seconds) for seconds in run.stdout.split()])

rows, firsts = [], []
for mode in modes:
    first, second, third = (median(call) for call in zip(*samples[mode], strict=True))
    every = ", ".join(f"{calls[0]:.2f}" for calls in samples[mode])
    rows.append(
        [
            mode,
            f"{first:.2f} s",
            f"{second * 1e3:.1f} ms",
            f"{third * 1e3:.2f} ms",
            f"{every} s",
        ]
    )
    firsts.append(first)
show(Table(["mode", "1st call", "2nd call", "3rd call", "each 1st call"], rows))
default_s, graphs_s, autotune_s = firsts
# region checks
assert 0.5 < graphs_s / default_s < 2 and autotune_s > default_s
# endregion
