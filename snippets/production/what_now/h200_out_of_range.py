# /// lesson
# needs = ["gpu", "triton"]
# timeout = 400
# ///
"""A label out of range on a GPU: a device-side assert, after which the process can't use the GPU, or another class."""

import linecache
import os
import re
import subprocess
import sys
from itertools import product

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def loss(numbers, labels):
    return F.cross_entropy(numbers + 1, labels)  # labels are 0 to 999


def outcome(step, label):
    numbers, labels = torch.zeros(2000, 1000, device="cuda"), torch.tensor([0] * 1999 + [label], device="cuda")
    try:
        result = step(numbers, labels)
        result.item()  # waits for the GPU
        return "no error"
    except RuntimeError as error:
        line = linecache.getline(__file__, error.__traceback__.tb_lineno)
        return f"{str(error).splitlines()[0].partition(': ')[2]}, at: {line.partition('  #')[0].strip()}"


def row(label, mode, blocking):  # a process of its own, as an assert makes each later call fail too
    env = {**os.environ, "CUDA_LAUNCH_BLOCKING": blocking}
    run = subprocess.run([sys.executable, __file__, label, mode], capture_output=True, text=True, env=env)
    return [label, mode, blocking, run.stdout.strip(), "".join(re.findall("Assertion `(.*?)`", run.stderr)[:1])]


if sys.argv[1:]:
    sys.exit(print(outcome(torch.compile(loss) if sys.argv[2] == "compiled" else loss, int(sys.argv[1]))))
rows = [row(*call) for call in product(("1000", "-1"), ("eager", "compiled"), ("0", "1"))]
show(Table(["label", "mode", "CUDA_LAUNCH_BLOCKING", "error", "the kernel prints"], rows))
# region checks
errors = [error for *_, error, _ in rows]
assert all("device-side assert triggered" in error for error in errors[:6]) and errors[6:] == ["no error"] * 2
assert [error.partition("at: ")[2][:9] for error in errors[:4]] == ["result.it", "result = "] * 2
# endregion
