"""Is the code Inductor writes without a GPU the code it writes on one?

    CUDA_VISIBLE_DEVICES= python benchmarks/gpu_fidelity.py cross CROSS.json h200  # on any machine, GPU or not
    python benchmarks/gpu_fidelity.py real REAL.json      # on a machine with that GPU and the same torch
    python benchmarks/gpu_fidelity.py compare CROSS.json REAL.json TABLE.json

The first two compile in ``PROCESSES`` processes (an environment variable; by default, one).

``compare`` writes one row a case: kernels of the real run, how many are identical byte for byte, and the first
difference.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
from gpu_cases import CASES, DYNAMIC

from compile_lessons import capture
from compile_lessons.gpu.cross_compile import kernel_sources
from compile_lessons.pipeline.forward_backward import forward_backward as run_once


def cross(name: str, target: str) -> list[str]:
    """Return the output codes for a described GPU."""
    torch.manual_seed(0)
    function, args = CASES[name]("cpu")
    dynamic = name.startswith(DYNAMIC) or None
    pipeline = capture(function, target=target, dynamic=dynamic, machine_code=False)(*args)
    if pipeline.failures:
        raise RuntimeError(str(pipeline.failures[0]))
    return [part.output_code for graph in pipeline.graphs for part in graph.inductor]


def real(name: str) -> list[str]:
    """Return the output codes of a real run."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    function, args = CASES[name]("cuda")
    return real_codes(function, args, {}, dynamic=name.startswith(DYNAMIC) or None)


def real_codes(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], *, dynamic: bool | None = None
) -> list[str]:
    """Return the output codes of a call on the tensors' GPU, forward and backward, with torch's caches turned off."""
    from torch._inductor.utils import run_and_get_code

    torch._functorch.config.enable_autograd_cache = False
    torch._inductor.config.fx_graph_cache = False
    _, codes = run_and_get_code(run_once, torch.compile(function, dynamic=dynamic), args, kwargs, "auto")
    return codes


def run_case(name: str, target: str | None) -> dict[str, Any]:
    """Return the output codes of a case, or the error: the table says which case failed and why."""
    began = time.perf_counter()
    try:
        result: dict[str, Any] = {"codes": cross(name, target) if target else real(name)}
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
    result["seconds"] = round(time.perf_counter() - began, 3)
    print(f"{name}: {result.get('error', len(result.get('codes', [])))} {result['seconds']} s", flush=True)
    return result


def run_cases(path: Path, target: str | None) -> None:
    device = target or torch.cuda.get_device_name()
    processes = int(os.environ.get("PROCESSES", "1"))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        results = dict(zip(CASES, pool.map(partial(run_case, target=target), CASES), strict=True))
    path.write_text(json.dumps({"torch": torch.__version__, "device": device, "cases": results}))


def compare(ours: dict[str, Any], theirs: dict[str, Any]) -> list[dict[str, Any]]:
    """One row a case. Kernels are compared with their names and everything in their files, whatever their order:
    after a graph break a real run compiles the backward graphs last."""
    rows = []
    for name in theirs["cases"]:
        a, b = ours["cases"][name], theirs["cases"][name]
        if error := a.get("error") or b.get("error"):
            side = "without a GPU" if a.get("error") else "on the GPU"
            rows.append({"case": name, "kernels": 0, "identical": 0, "difference": f"failed {side}: {error}"})
            continue
        rows.append({"case": name, **compare_kernels(kernels(a["codes"]), kernels(b["codes"]))})
    return rows


def compare_kernels(ours: list[str], theirs: list[str]) -> dict[str, Any]:
    """Return the number of kernels in ``theirs``, how many of them ``ours`` also has, and the first difference.

    ``same_but_numbers`` also counts those that differ only in the number at the end of the kernel's name.
    """
    left, right = Counter(ours), Counter(theirs)
    difference = _difference(list((left - right).elements()), list((right - left).elements()))
    same = (Counter(map(_without_number, ours)) & Counter(map(_without_number, theirs))).total()
    counts = {"kernels": right.total(), "identical": (left & right).total(), "same_but_numbers": same}
    return {**counts, "difference": difference}


def _without_number(source: str) -> str:
    """Return a kernel's file without the number in its name: its place in the output code."""
    return re.sub(r"\b(triton_\w+)_\d+\b", r"\1", source)


def kernels(codes: list[str]) -> list[str]:
    """Return the file of each kernel in the output codes."""
    return [source for code in codes for source in kernel_sources(code).values()]


def _difference(left: list[str], right: list[str]) -> str:
    if len(left) != len(right):
        return f"{len(left)} kernels only without a GPU, {len(right)} only on it"
    for ours, theirs in zip(left, right, strict=True):
        for a, b in zip(ours.splitlines(), theirs.splitlines(), strict=False):
            if a != b:
                at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
                return f"{a[max(0, at - 40) : at + 60]!r} ≠ {b[max(0, at - 40) : at + 60]!r}"
    return ""


def main() -> None:
    mode, *paths = sys.argv[1:]
    if mode in ("cross", "real"):
        run_cases(Path(paths[0]), paths[1] if mode == "cross" else None)
        return
    ours, theirs = (json.loads(Path(path).read_text()) for path in paths[:2])
    rows = compare(ours, theirs)
    table = {"torch": theirs["torch"], "cross_torch": ours["torch"], "device": theirs["device"], "rows": rows}
    Path(paths[2]).write_text(json.dumps(table, indent=1) + "\n")
    total, same = sum(row["kernels"] for row in rows), sum(row["identical"] for row in rows)
    print(f"{same} of {total} kernels identical in {len(rows)} cases")
    for row in rows:
        if row["difference"]:
            print(row)


if __name__ == "__main__":
    main()
