"""What ``diagnose`` costs the program that it watches: a steady loop, compiles, and the start of Python.

``python benchmarks/diagnose.py`` runs each program without and with the collector, in turns, and prints the ratio of
the best times. On a busy machine the ratios hold, the seconds don't.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from os import environ
from pathlib import Path

from compile_lessons.show.table import Table
from compile_lessons.trace.run import environment

TURNS = 5

#: Steps of about 1 ms with two compiled regions, one of them with a graph break. Prints the best time of a step.
STEADY = """
import time, torch
torch.set_num_threads(1)
a = torch.randn(260, 260)

@torch.compile(backend="eager")
def forward(x):
    y = x @ a
    torch._dynamo.graph_break()
    return y.relu() @ a

@torch.compile(backend="eager")
def update(x):
    return x * 0.9

def step():
    return update(forward(a))

for _ in range(50):
    step()
best = float("inf")
for _ in range(30):
    began = time.perf_counter()
    for _ in range(50):
        step()
    best = min(best, (time.perf_counter() - began) / 50)
print(best)
"""

#: A model of 6 layers, compiled for training. Prints the seconds of the first step.
COMPILE = """
import time, torch
import torch._inductor.config
torch._inductor.config.force_disable_caches = True
torch.manual_seed(0)
model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 4)
fast = torch.compile(model, backend="{backend}")
began = time.perf_counter()
fast(torch.randn(2, 8, 32)).sum().backward()
print(time.perf_counter() - began)
"""

#: The start of Python, timed from outside.
START = "pass"


def seconds(program: str, folder: Path | None) -> float:
    """Run a program, with the collector if there is a folder for its files, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment(folder) if folder else dict(environ),
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def start_seconds(program: str, folder: Path | None) -> float:
    timed = f"import subprocess, sys, time; began = time.perf_counter(); subprocess.run([sys.executable, '-c', {program!r}]); print(time.perf_counter() - began)"  # noqa: E501
    return seconds(timed, folder)


def compare(measure: Callable[[str, Path | None], float], program: str) -> tuple[float, float]:
    """Return the best seconds without and with the collector, of runs in turns."""
    without, watched = [], []
    for _ in range(TURNS):
        without.append(measure(program, None))
        with tempfile.TemporaryDirectory() as folder:
            watched.append(measure(program, Path(folder)))
    return min(without), min(watched)


def main() -> None:
    cases = {
        "a step of a steady loop": (seconds, STEADY),
        "first step, backend eager": (seconds, COMPILE.format(backend="eager")),
        "first step, backend aot_eager": (seconds, COMPILE.format(backend="aot_eager")),
        "first step, backend inductor": (seconds, COMPILE.format(backend="inductor")),
        "start of Python": (start_seconds, START),
    }
    chosen = [name for name in cases if any(word in name for word in sys.argv[1:])] or list(cases)
    rows = []
    for name in chosen:
        without, watched = compare(*cases[name])
        rows.append((name, f"{without:.6f}", f"{watched:.6f}", f"{watched / without:.3f}"))
    print(Table(("what", "without, s", "watched, s", "ratio"), rows))


if __name__ == "__main__":
    main()
