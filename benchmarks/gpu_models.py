"""Do 24 models and training steps compile for a GPU that is not there, and do the CPU's results match eager mode?

    python benchmarks/gpu_models.py TABLE.json [MODEL...]  # on a machine with an H200 and the libraries of models.py

Three parts for each model of ``models.py``, each in a process of its own, which is ended after ``SECONDS``:
``described`` captures it for an H200 without using the GPU, down to machine code; ``real`` compiles it on the GPU;
``cpu`` compares the compiled run on the CPU with eager mode. ``PROCESSES`` of them run at a time (an environment
variable; by default, one). The table is written after each part, one row a model. What a part adds to the row:

- ``described``: ``graphs``, ``breaks``, ``failures``, ``described_kernels``, and how many of them are in
  ``machine_code``.
- ``real``: ``kernels``, how many of their files are ``identical`` byte for byte to those of ``described``, how many are
  the ``same_but_numbers`` at the end of a kernel's name, and the first ``difference``. All but the first are there once
  both parts are.
- ``cpu``: the ``verdict`` of the comparison, its ``reason``, the values that are ``unequal`` and the ``cpu_failures``.

A part that fails adds its exception to ``errors`` instead.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from gpu_fidelity import compare_kernels, kernels, real_codes
from models import MODELS

from compile_lessons import capture
from compile_lessons.facts import Pipeline

#: The limit of a part.
SECONDS = 240
_LIBRARIES = ("torch", "triton", "transformers", "diffusers", "timm", "torch-geometric", "torchvision")


def described(name: str) -> dict[str, Any]:
    """Return the graphs and kernels of a capture for an H200; ``sources`` are the files of the kernels."""
    function, args, kwargs = MODELS[name]("cpu")
    pipeline = capture(function, target="h200")(*args, **kwargs)
    sources = kernels([part.output_code for graph in pipeline.graphs for part in graph.inductor])
    return {
        "graphs": len(pipeline.graphs),
        "breaks": len(pipeline.breaks),
        "failures": _failures(pipeline),
        "described_kernels": len(sources),
        "machine_code": sum(bool(kernel.code.sass) for kernel in pipeline.gpu_kernels),
        "sources": sources,
    }


def real(name: str) -> dict[str, Any]:
    """Return the files of the kernels that a run on this machine's GPU writes."""
    return {"sources": kernels(real_codes(*MODELS[name]("cuda")))}


def cpu(name: str) -> dict[str, Any]:
    """Return the verdict of the comparison with eager mode on the CPU."""
    function, args, kwargs = MODELS[name]("cpu")
    pipeline = capture(function, compare=True)(*args, **kwargs)
    comparison = pipeline.comparison
    assert comparison is not None
    return {
        "verdict": comparison.status,
        "reason": comparison.reason,
        "unequal": [f"{value.kind} {value.path}" for value in comparison.values if not value.equal],
        "cpu_failures": _failures(pipeline),
    }


PARTS: dict[str, Callable[[str], dict[str, Any]]] = {"cpu": cpu, "described": described, "real": real}


def _failures(pipeline: Pipeline) -> list[str]:
    return [f"{failure.stage}: {failure.type}: {failure.message}"[:300] for failure in pipeline.failures]


def run_part(part: str, name: str) -> dict[str, Any]:
    """Return what a part of a model adds to its row, or its exception as ``error``."""
    torch.manual_seed(0)
    try:
        return PARTS[part](name)
    except Exception as error:  # the table says which model failed and why; the others go on
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def start_part(part: str, name: str, folder: Path) -> dict[str, Any]:
    """Run a part in a process of its own, and return its result with the time it took."""
    result = folder / f"{part} {name}.json"
    environment = dict(os.environ) if part == "real" else os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    began = time.perf_counter()
    done = subprocess.run([sys.executable, __file__, "--part", part, name, str(result)], env=environment)
    if result.exists():
        found = json.loads(result.read_text())
    else:
        found = {"error": f"over {SECONDS} s" if done.returncode == -signal.SIGALRM else f"exit {done.returncode}"}
    return found | {"seconds": round(time.perf_counter() - began, 1)}


def row(name: str, parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a model's row from the parts that are complete."""
    found: dict[str, Any] = {"model": name}
    for result in parts.values():
        found |= {key: value for key, value in result.items() if key not in ("sources", "error", "seconds")}
    sources = {part: result["sources"] for part, result in parts.items() if "sources" in result}
    if "real" in sources:
        found["kernels"] = len(sources["real"])
    if len(sources) == 2:
        found |= compare_kernels(sources["described"], sources["real"])
    found["errors"] = {part: result["error"] for part, result in parts.items() if "error" in result}
    found["seconds"] = {part: result["seconds"] for part, result in parts.items()}
    return found


def run_models(path: Path, names: list[str]) -> None:
    """Run all parts of the models, and write the table after each."""
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "none"
    head = {"device": device, "versions": {library: version(library) for library in _LIBRARIES}}
    parts: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in names}
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        ThreadPoolExecutor(int(os.environ.get("PROCESSES", "1"))) as pool,  # each thread waits for a process
    ):
        waiting = {pool.submit(start_part, part, name, Path(folder)): (part, name) for name in names for part in PARTS}
        for done in as_completed(waiting):
            part, name = waiting[done]
            result = parts[name][part] = done.result()
            rows = [row(name, complete) for name, complete in parts.items()]
            path.write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n")
            print(f"{name}, {part}: {result.get('error', 'done')}, {result['seconds']} s", flush=True)


def main() -> None:
    if sys.argv[1] == "--part":
        part, name, path = sys.argv[2:]
        signal.alarm(SECONDS)  # ends this process
        result = json.dumps(run_part(part, name))
        Path(path).write_text(result)
        return
    path, *names = sys.argv[1:]
    if unknown := set(names) - set(MODELS):
        sys.exit(f"no model is called {', '.join(sorted(unknown))}; the models are {', '.join(MODELS)}")
    run_models(Path(path), names or list(MODELS))


if __name__ == "__main__":
    main()
