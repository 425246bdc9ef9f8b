"""Which operators of ATen decompose in another way on a GPU?

    python benchmarks/gpu_choices.py run RAW.json           # on a machine with a GPU, seven minutes
    python benchmarks/gpu_choices.py table RAW.json TABLE.json

``run`` calls the operators of torch's own list of sample inputs, and records which operators reach the dispatcher below
autograd, once with tensors on the CPU and once on the GPU. ``table`` keeps one row an operator that differs, without
calls that fail on one side.
"""

from __future__ import annotations

import json
import sys
import time
import types
import unittest
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

_SECONDS = 420
_SAMPLES = 8


class Calls(TorchDispatchMode):
    """Record the names of the operators that are called within it."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(str(function))
        return function(*args, **kwargs or {})


def calls(function: Callable[..., Any], sample: Any, device: str, backward: bool) -> list[str]:
    """Return the operators that a call reaches, and the error's first line if there is one."""

    def move(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach().to(device).requires_grad_(tensor.requires_grad)

    args, kwargs = tree_map_only(torch.Tensor, move, ((sample.input, *sample.args), dict(sample.kwargs)))
    torch.manual_seed(0)
    with Calls() as mode:
        try:
            result = function(*args, **kwargs)
            if backward:
                results = [it for it in tree_leaves(result) if isinstance(it, torch.Tensor) and it.requires_grad]
                torch.autograd.backward(results, [torch.ones_like(it) for it in results])
        except Exception as error:  # a row of the table says so
            mode.names.append(f"{type(error).__name__}: {error}".splitlines()[0])
    return mode.names


def samples() -> Iterator[tuple[str, Callable[..., Any], Any, bool]]:
    """Yield a name, a function, its sample input, and whether the derivative is called too."""
    sys.modules.setdefault("expecttest", types.ModuleType("expecttest")).__dict__.setdefault(
        "TestCase", unittest.TestCase
    )  # torch's list imports it and does not use it
    from torch.testing._internal.common_methods_invocations import op_db

    for operator in op_db:
        for dtype in (torch.float32, torch.float16, torch.int64):
            backwards = (False, True) if dtype.is_floating_point and operator.supports_autograd else (False,)
            for backward in backwards:
                try:
                    found = list(operator.sample_inputs("cpu", dtype, requires_grad=backward))
                except Exception:  # not every operator has samples of every dtype
                    continue
                for sample in found[:: max(1, len(found) // _SAMPLES)]:
                    yield operator.name, operator.op, sample, backward


def run(path: Path) -> None:
    began, count, rows = time.monotonic(), 0, []
    for name, function, sample, backward in samples():
        if time.monotonic() - began > _SECONDS:
            print("stopped at", name)
            break
        count += 1
        on_cpu, on_gpu = (calls(function, sample, device, backward) for device in ("cpu", "cuda"))
        if on_cpu != on_gpu:
            rows.append({"op": name, "cpu": on_cpu, "gpu": on_gpu})
    report = {"torch": torch.__version__, "device": torch.cuda.get_device_name(), "calls": count, "rows": rows}
    path.write_text(json.dumps(report))


def table(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report with one row an operator: what only one device calls, without calls that fail on one."""
    rows = {}
    for row in report["rows"]:
        cpu, gpu = Counter(row["cpu"]), Counter(row["gpu"])
        only = [sorted((a - b).keys()) for a, b in ((cpu, gpu), (gpu, cpu))]
        if not any("Error: " in name for names in only for name in names):
            rows.setdefault(row["op"], {"operator": row["op"], "cpu": only[0], "gpu": only[1]})
    return {**report, "rows": list(rows.values())}


def main() -> None:
    mode, *paths = sys.argv[1:]
    if mode == "run":
        run(Path(paths[0]))
    else:
        Path(paths[1]).write_text(json.dumps(table(json.loads(Path(paths[0]).read_text())), indent=1) + "\n")


if __name__ == "__main__":
    main()
