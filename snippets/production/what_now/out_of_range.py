"""An index out of range: eager mode raises an exception, compiled C++ ends the process or takes another row."""

import re
import subprocess
import sys

import torch
import torch.nn.functional as F

from compile_lessons import Table

torch.set_num_threads(2)  # with one thread, compiled code raises an exception
numbers = torch.zeros(2000, 1000)


def loss(labels):
    return F.cross_entropy(numbers + 1, labels)  # labels are 0 to 999


def pick(rows):
    return numbers.index_select(0, rows) * 2  # rows are 0 to 1999


def outcome(step, index):
    try:
        step(torch.tensor([0] * 1999 + [index]))
        return "no error"
    except IndexError as error:
        return f"IndexError: {error}"


if sys.argv[1:]:  # a process of its own, which compiled code ends
    sys.exit(outcome(torch.compile(loss), 1000))
run = subprocess.run([sys.executable, __file__, "compiled"], capture_output=True, text=True)
said = re.sub(r"tmp\d+", "i", re.search("index out of bounds.*", run.stderr)[0])
rows = [
    ["loss(1000)", outcome(loss, 1000), f"exit status {run.returncode}: {said}"],
    ["pick(-1)", outcome(pick, -1), outcome(torch.compile(pick), -1)],
]
print(Table(["call", "eager mode", "compiled"], rows))
# region checks
assert all("IndexError" in eager for _, eager, _ in rows)
assert run.returncode == -6 and rows[1][2] == "no error"
# endregion
