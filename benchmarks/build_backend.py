"""Times of the backend of docs/build against eager mode and Inductor: ten functions, three sizes, on this machine.

    python benchmarks/build_backend.py snippets/build/measured.json

The three take turns in one process. A time is the median over the rounds; a ratio is that of two times of one round, as
first quartile, median and third quartile. Inductor's caches are off, and both backends have compiled something else
before, so a first call has no imports in it. The program starts itself again with ``MALLOC_TOP_PAD_``, which has glibc
keep memory that was freed: otherwise the kernel hands out new pages for each large result, which costs more than loops.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
import torch._inductor.config

sys.path.insert(0, str(Path(__file__).parents[1] / "snippets/build"))
from _functions import FUNCTIONS, inputs
from _step4_backend import backend

SIZES = ((64, 256), (1024, 512), (8192, 2048))
KEPT = 2**30  # bytes, more than the temporary tensors of a call
ROUNDS, STRETCH = 15, 0.03  # seconds of calls by one contender in a round


def first_call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    began = perf_counter()
    function(*arguments)
    return perf_counter() - began


def stretch(function: Callable[..., Any], arguments: tuple[Any, ...], calls: int) -> float:
    began = perf_counter()
    for _ in range(calls):
        function(*arguments)
    return (perf_counter() - began) / calls


def quartiles(ours: list[float], theirs: list[float]) -> list[float]:
    return statistics.quantiles((a / b for a, b in zip(ours, theirs, strict=True)), n=4)


def measure(function: Callable[..., Any], size: tuple[int, int]) -> dict[str, Any]:
    """Return what was measured of one function at one size, in seconds."""
    torch.compiler.reset()
    arguments = inputs(*size)
    ours, inductor = (torch.compile(function, backend=name, dynamic=False) for name in (backend, "inductor"))
    compiles = {"step 4": first_call(ours, arguments), "Inductor": first_call(inductor, arguments)}
    torch.testing.assert_close(ours(*arguments), function(*arguments), rtol=1e-4, atol=1e-5)
    contenders = {"eager": function, "step 4": ours, "Inductor": inductor}
    calls = max(1, int(STRETCH / max(first_call(function, arguments), 1e-6)))
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            times[name].append(stretch(contender, arguments, calls))
    return {
        "first": compiles,
        "seconds": {name: statistics.median(samples) for name, samples in times.items()},
        "to Inductor": quartiles(times["step 4"], times["Inductor"]),
        "speedup": quartiles(times["eager"], times["step 4"]),
    }


def main(target: str) -> None:
    torch.manual_seed(0)
    torch._inductor.config.force_disable_caches = True
    for name in (backend, "inductor"):
        torch.compile(lambda x: x + 1, backend=name)(torch.ones(3))
    rows = []
    for function in FUNCTIONS:
        for size in SIZES:
            rows.append({"function": function.__name__, "size": size, **measure(function, size)})
            print(json.dumps(rows[-1]), flush=True)
    report = {
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "rows": rows,
    }
    Path(target).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "MALLOC_TOP_PAD_" not in os.environ:
        os.environ["MALLOC_TOP_PAD_"] = str(KEPT)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    main(sys.argv[1])
