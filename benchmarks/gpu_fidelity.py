"""Is the code Inductor writes without a GPU the code it writes on one?

    CUDA_VISIBLE_DEVICES= python benchmarks/gpu_fidelity.py cross CROSS.json   # on any machine, GPU or not
    python benchmarks/gpu_fidelity.py real REAL.json      # on a machine with that GPU and the same torch
    python benchmarks/gpu_fidelity.py compare CROSS.json REAL.json TABLE.json

``compare`` writes one row a case: kernels of the real run, how many are identical byte for byte, and the first
difference.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
from gpu_cases import CASES, DYNAMIC

from compile_lessons.gpu.cross import kernel_sources
from compile_lessons.pipeline import capture


def cross(name: str) -> list[str]:
    """Output codes for a described H200."""
    torch.manual_seed(0)
    function, args = CASES[name]("cpu")
    found = capture(function, target="h200", dynamic=name in DYNAMIC or None)(*args)
    if found.failures:
        raise RuntimeError(str(found.failures[0]))
    return [part.output_code for graph in found.graphs for part in graph.inductor]


def real(name: str) -> list[str]:
    """Output codes of a real run, forward and backward."""
    from torch._inductor.utils import run_and_get_code

    torch.manual_seed(0)
    torch._dynamo.reset()
    function, args = CASES[name]("cuda")
    _, codes = run_and_get_code(lambda: _forward_backward(function, args, name in DYNAMIC or None))
    return codes


def _forward_backward(function: Any, args: tuple[Any, ...], dynamic: bool | None) -> None:
    outputs = torch.compile(function, dynamic=dynamic)(*args)
    outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    wanted = [output for output in outputs if output.requires_grad]
    if wanted:
        torch.autograd.backward(wanted, [torch.ones_like(output) for output in wanted])


def run(mode: str, path: Path) -> None:
    torch._functorch.config.enable_autograd_cache = False
    torch._inductor.config.fx_graph_cache = False
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "none"
    results: dict[str, Any] = {"torch": torch.__version__, "device": device, "cases": {}}
    for name in CASES:
        began = time.perf_counter()
        try:
            found: dict[str, Any] = {"codes": {"cross": cross, "real": real}[mode](name)}
        except Exception as error:  # the table says which case failed and why; the others go on
            found = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
        found["seconds"] = round(time.perf_counter() - began, 3)
        results["cases"][name] = found
        print(f"{mode} {name}: {found.get('error', len(found.get('codes', [])))} {found['seconds']} s", flush=True)
    path.write_text(json.dumps(results))


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
        left, right = (Counter(_kernels(side["codes"])) for side in (a, b))
        same = (left & right).total()
        difference = _difference(list((left - right).elements()), list((right - left).elements()))
        rows.append({"case": name, "kernels": right.total(), "identical": same, "difference": difference})
    return rows


def _kernels(codes: list[str]) -> list[str]:
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
        run(mode, Path(paths[0]))
        return
    ours, theirs = (json.loads(Path(path).read_text()) for path in paths[:2])
    rows = compare(ours, theirs)
    table = {"torch": theirs["torch"], "cross_torch": ours["torch"], "device": theirs["device"], "rows": rows}
    Path(paths[2]).write_text(json.dumps(table, indent=1) + "\n")
    kernels, same = sum(row["kernels"] for row in rows), sum(row["identical"] for row in rows)
    print(f"{same} of {kernels} kernels identical in {len(rows)} cases")
    for row in rows:
        if row["difference"]:
            print(row)


if __name__ == "__main__":
    main()
