"""Do the kernels Inductor writes for a GPU compute what eager mode does? Seen on a CPU, in Triton's interpreter.

    TRITON_INTERPRET=1 python benchmarks/gpu_numerics.py snippets/gpu/numerics.json [CASE...]

With cases named, only their rows are made again. One row a case of ``gpu_cases.py``: how many kernels ran, forward and
backward, and over all outputs and gradients the largest difference from eager, with its tolerance; or why nothing was
compared. Where that is over the tolerance, both are compared with eager in float64. A case gets five minutes: a block
of a kernel takes the interpreter milliseconds.
"""

from __future__ import annotations

import json
import multiprocessing
import re
import signal
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
from gpu_cases import CASES, DYNAMIC

from compile_lessons.api.compare import compared
from compile_lessons.facts.gpu import H200
from compile_lessons.gpu.cross_compile import kernel_sources
from compile_lessons.gpu.interpret import interpreted

SECONDS = 300


def row(name: str) -> dict[str, Any]:
    """The case's row; ``error`` and ``tolerance`` are ``None`` if nothing was compared, ``why`` then says why.

    ``equal`` says whether every value was within its tolerance.
    """
    torch.manual_seed(0)
    torch._dynamo.reset()
    function, args = CASES[name]("cpu")
    codes: list[str] = []
    found: dict[str, Any] = {"case": name, "kernels": 0, "equal": None, "error": None, "tolerance": None, "why": ""}
    try:
        found |= _compared(function, args, name.startswith(DYNAMIC) or None, codes)
    except Exception as error:  # the table says which case could not run and why; the others go on
        found["why"] = _reason(error)
    kernels = [source for code in codes for source in kernel_sources(code).values()]
    found["kernels"] = len(kernels)
    if any("load_seed_offset" in source for source in kernels) and not found["why"].startswith("can't"):
        why = "runs; draws random numbers, and Inductor's generator is not eager's"
        found |= {"equal": None, "error": None, "tolerance": None, "why": why}
    return found


def _compared(function: Any, args: tuple[Any, ...], dynamic: bool | None, codes: list[str]) -> dict[str, Any]:
    """Every output, gradient and changed input of eager mode beside that of the interpreted kernels."""
    comparison = compared(function, interpreted(function, H200, codes.append, dynamic=dynamic), args)
    off = [value for value in comparison.values if value.tolerance]
    worst = max(off, key=lambda value: value.max_difference or 0.0, default=None)
    return {
        "equal": comparison.status == "equal",
        "error": worst.max_difference if worst else 0.0,
        "tolerance": worst.tolerance if worst else 0.0,
        "why": comparison.reason,
    }


def _reason(error: BaseException) -> str:
    """The innermost exception: the interpreter wraps what a kernel raised."""
    while error.__cause__ is not None:
        error = error.__cause__
    if only_cuda := re.match(r"Could not run '(\S+)' with arguments from the 'CPU' backend", str(error)):
        return f"can't run: {only_cuda[1]}, an extern kernel, is CUDA's alone"
    return "can't run: " + f"{type(error).__name__}: {error}".splitlines()[0][:160]


def _stop(number: int, frame: Any) -> None:
    raise TimeoutError(f"over {SECONDS} seconds in the interpreter")


def _timed(name: str) -> tuple[dict[str, Any], float]:
    began = time.perf_counter()
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS)
    found = row(name)
    signal.alarm(0)
    return found, time.perf_counter() - began


def main() -> None:
    path, names = Path(sys.argv[1]), sys.argv[2:]
    rows = {}
    if names:  # the others stay as they are
        rows = {found["case"]: found for found in json.loads(path.read_text())["rows"]}
    # A process a case: what one leaves in torch or triton must not change another's row.
    with multiprocessing.get_context("fork").Pool(maxtasksperchild=1) as pool:
        for found, seconds in pool.imap(_timed, names or CASES, chunksize=1):
            rows[found["case"]] = found
            print(found, f"{seconds:.1f} s", flush=True)
    table = {
        "torch": torch.__version__,
        "triton": version("triton"),
        "device": H200.name,
        "rows": [rows[name] for name in CASES],
    }
    path.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
