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


# region process
def first_calls(mode):
    """Return the seconds of the first three calls, in a process with empty caches."""
    command = [sys.executable, "-W", "ignore", str(program), mode]
    with tempfile.TemporaryDirectory() as empty:
        environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": empty}
        run = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
    if run.returncode:  # otherwise the log of autotuning is of no interest here
        raise RuntimeError(run.stderr)
    return [float(seconds) for seconds in run.stdout.split()]


# endregion
# region turns
modes = ["default", "reduce-overhead", "max-autotune"]
samples = {mode: [] for mode in modes}
for turn in range(3):
    # each mode is first, second and last once
    for mode in modes[turn:] + modes[:turn]:
        samples[mode].append(first_calls(mode))

rows = []
first_seconds = {}
for mode, runs in samples.items():
    first, second, third = (median(call) for call in zip(*runs, strict=True))
    first_seconds[mode] = first
    each_first = ", ".join(f"{calls[0]:.2f}" for calls in runs)
    times = [f"{first:.2f} s", f"{second * 1e3:.1f} ms", f"{third * 1e3:.2f} ms"]
    rows.append([mode, *times, f"{each_first} s"])
show(Table(["mode", "1st call", "2nd call", "3rd call", "each 1st call"], rows))
# endregion
default_s = first_seconds["default"]
graphs_s = first_seconds["reduce-overhead"]
autotune_s = first_seconds["max-autotune"]
# region checks
assert 0.5 < graphs_s / default_s < 2
assert autotune_s > default_s
# endregion
