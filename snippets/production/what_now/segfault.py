# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A kernel reads a bad address: faulthandler names the Python lines that led there."""

import ctypes
import faulthandler
import tempfile
from multiprocessing import get_context
from pathlib import Path

import torch


# region model
@torch.library.custom_op("shop::look_up", mutates_args=())
def look_up(x: torch.Tensor) -> torch.Tensor:
    ctypes.string_at(0)  # stands for a kernel that reads a bad address
    return x.clone()


look_up.register_fake(torch.empty_like)


@torch.compile(backend="eager")
def score(x):
    return look_up(x * 2) + 1


# endregion
def crash(report):
    faulthandler.enable(report, all_threads=False)  # as python -X faulthandler does
    score(torch.ones(4))


with tempfile.TemporaryFile("w+") as report:
    process = get_context("fork").Process(target=crash, args=(report,))
    process.start()
    process.join()
    report.seek(0)
    lines = report.read().splitlines()
print(f"exit status {process.exitcode}")
own_lines = [line for line in lines if Path(__file__).name in line]
for line in [lines[0], *own_lines]:
    print(line)

# region checks
assert process.exitcode == -11
assert "Fatal" in lines[0]
assert any("in look_up" in line for line in own_lines)
assert any("in score" in line for line in own_lines)
# endregion
