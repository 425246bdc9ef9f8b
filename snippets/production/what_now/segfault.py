# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A kernel that reads a bad address ends the process. faulthandler names the Python lines that led there."""

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
    faulthandler.enable(report, all_threads=False)  # what python -X faulthandler does
    score(torch.ones(4))


with tempfile.TemporaryFile("w+") as report:
    process = get_context("fork").Process(target=crash, args=(report,))
    process.start()
    process.join()
    report.seek(0)
    lines = [line for line in report.read().splitlines() if "Fatal" in line or Path(__file__).name in line]
print(f"exit status {process.exitcode}", *lines, sep="\n")
# region checks
assert process.exitcode == -11 and "in look_up" in " ".join(lines) and "in score" in " ".join(lines)
# endregion
