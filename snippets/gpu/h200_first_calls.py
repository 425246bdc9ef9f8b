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

program = Path(__file__).with_name("_first_calls.py")
modes, rounds = ("default", "reduce-overhead", "max-autotune"), 3
samples = {mode: [] for mode in modes}
for turn in range(rounds):
    for mode in modes[turn:] + modes[:turn]:  # each mode is first, second and last once
        with tempfile.TemporaryDirectory() as empty:
            environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": empty}
            command = [sys.executable, "-W", "ignore", str(program), mode]
            run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        samples[mode].append([float(seconds) for seconds in run.stdout.split()])

print("mode             1st call  2nd call  3rd call  (median of three processes)")
firsts = []
for mode in modes:
    first, second, third = (median(call) for call in zip(*samples[mode], strict=True))
    every = ", ".join(f"{calls[0]:.2f}" for calls in samples[mode])
    print(f"{mode:15}  {first:6.2f} s  {second * 1e3:5.1f} ms  {third * 1e3:5.2f} ms  (1st: {every})")
    firsts.append(first)
default_s, graphs_s, autotune_s = firsts
# region checks
assert 0.5 < graphs_s / default_s < 2 and autotune_s > default_s
# endregion
