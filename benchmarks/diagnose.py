"""What ``diagnose`` costs the program that it watches: a steady loop, compiles, and the start of Python.

``python benchmarks/diagnose.py`` runs each program without and with the collector, in turns, and prints the ratio of
the best times. On a busy machine the ratios hold, the seconds don't.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from os import environ, getloadavg
from pathlib import Path

from compile_lessons.trace.run import environment

#: A step of two compiled regions, one of them with a graph break, with next to no work: what is added counts in full.
#: Prints the best time of a step, which the table also gives as a share of a step of 1 ms.
STEADY = """
import time, torch
a = torch.ones(4)

@torch.compile(backend="eager")
def forward(x):
    y = x + a
    torch._dynamo.graph_break()
    return y.relu()

@torch.compile(backend="eager")
def update(x):
    return x * 0.9

for _ in range(100):
    update(forward(a))
best = float("inf")
for _ in range(400):
    began = time.perf_counter()
    for _ in range(20):
        update(forward(a))
    best = min(best, (time.perf_counter() - began) / 20)
print(best)
"""

#: A model of 2 layers, compiled for training. Prints the CPU seconds of the first step,
#: which other programs on the machine change less than its wall seconds.
COMPILE = """
import time, torch
import torch._inductor.config
torch._inductor.config.force_disable_caches = True
torch.manual_seed(0)
model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)
fast = torch.compile(model, backend="{backend}")
began = time.process_time()
fast(torch.randn(2, 8, 32)).sum().backward()
print(time.process_time() - began)
"""


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


#: Starts Python once more, which does nothing. Prints the seconds that it took.
TIMED_START = """
import subprocess, sys, time
began = time.perf_counter()
subprocess.run([sys.executable, "-c", "pass"])
print(time.perf_counter() - began)
"""


def compare(program: str, turns: int) -> tuple[float, float]:
    """Return the best seconds without and with the collector, of runs in turns."""
    without, watched = [], []
    for _ in range(turns):
        without.append(seconds(program, None))
        with tempfile.TemporaryDirectory() as folder:
            watched.append(seconds(program, Path(folder)))
    return min(without), min(watched)


CASES = {
    "a step without work": STEADY,
    "first step, backend eager": COMPILE.format(backend="eager"),
    "first step, backend aot_eager": COMPILE.format(backend="aot_eager"),
    "first step, backend inductor": COMPILE.format(backend="inductor"),
    "start of Python": TIMED_START,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*", help="only cases whose name has one of these words")
    parser.add_argument("--turns", type=int, default=3)
    args = parser.parse_args()
    names = [name for name in CASES if any(word in name for word in args.words)] or list(CASES)
    for name in names:
        without, watched = compare(CASES[name], args.turns)
        added = watched - without
        cost = f"{added / 0.001:.1%} of 1 ms" if CASES[name] is STEADY else f"{added / without:+.1%}"
        load = f"load {getloadavg()[0]:.1f}"
        print(f"{name}: {1000 * without:.3f} ms without, {1000 * watched:.3f} ms watched, {cost}, {load}", flush=True)


if __name__ == "__main__":
    main()
