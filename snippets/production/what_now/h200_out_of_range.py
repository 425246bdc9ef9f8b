# /// lesson
# needs = ["gpu", "triton"]
# timeout = 400
# ///
"""A label out of range on a GPU: a device-side assert, or another class."""

import os
import re
import subprocess
import sys
import traceback
from itertools import product

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def loss(numbers, labels):
    return F.cross_entropy(numbers + 1, labels)  # labels are 0 to 999


def outcome(step, label):
    """Return the error of a step with one label, and the line that raised it."""
    numbers = torch.zeros(2000, 1000, device="cuda")
    labels = torch.tensor([0] * 1999 + [label], device="cuda")
    try:
        result = step(numbers, labels)
        # waits for the GPU
        result.item()
    except RuntimeError as error:
        first_line = str(error).splitlines()[0]
        message = first_line.partition(": ")[2]  # without "CUDA error"
        place = traceback.extract_tb(error.__traceback__)[0].line
        return f"{message}, at: {place}"
    return "no error"


def row(label, mode, blocking):
    """Run a step in a process of its own, as an assert makes each later call fail."""
    run = subprocess.run(
        [sys.executable, __file__, label, mode],
        capture_output=True,
        check=False,
        env={**os.environ, "CUDA_LAUNCH_BLOCKING": blocking},
        text=True,
    )
    asserted = re.search("Assertion `(.*?)`", run.stderr)
    printed = asserted[1] if asserted else ""
    return [label, mode, blocking, run.stdout.strip(), printed]


if sys.argv[1:]:
    label, mode = sys.argv[1:]
    step = torch.compile(loss) if mode == "compiled" else loss
    print(outcome(step, int(label)))
    sys.exit()
calls = product(("1000", "-1"), ("eager", "compiled"), ("0", "1"))
rows = [row(*call) for call in calls]
columns = ["label", "mode", "CUDA_LAUNCH_BLOCKING", "error", "the kernel prints"]
show(Table(columns, rows))
# region checks
errors = [error for *_, error, _ in rows]
assert all("device-side assert triggered" in error for error in errors[:6])
assert errors[6:] == ["no error"] * 2
places = [error.partition(", at: ")[2] for error in errors[:4]]
assert places == ["result.item()", "result = step(numbers, labels)"] * 2
# endregion
