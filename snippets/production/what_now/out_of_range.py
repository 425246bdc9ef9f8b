"""An index out of range: compiled C++ ends the process, or takes another row."""

import re
import subprocess
import sys

import torch

from compile_lessons import Table, show

torch.set_num_threads(2)  # with one thread, compiled code raises an exception
numbers = torch.zeros(2000, 1000)


def pick(rows):
    return numbers.index_select(0, rows) * 2  # rows are 0 to 1999


def outcome(step, index):
    try:
        step(torch.tensor([0] * 1999 + [index]))
    except IndexError as error:
        return f"IndexError: {error}"
    return "no error"


compiled = torch.compile(pick)
if sys.argv[1:]:  # a process of its own, which compiled code ends
    sys.exit(outcome(compiled, 2000))
command = [sys.executable, __file__, "compiled"]
run = subprocess.run(command, capture_output=True, check=False, text=True)
message = re.search("index out of bounds.*", run.stderr)[0]
died = f"exit status {run.returncode}: {re.sub(r'tmp[0-9]+', 'i', message)}"
rows = [
    ["pick(2000)", outcome(pick, 2000), died],
    ["pick(-1)", outcome(pick, -1), outcome(compiled, -1)],
]
show(Table(["call", "eager mode", "compiled"], rows))

# region checks
assert all("IndexError" in eager for _, eager, _ in rows)
assert run.returncode == -6
assert rows[1][2] == "no error"
# endregion
