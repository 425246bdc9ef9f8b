"""What ``diagnose`` costs the program that it watches: a steady loop, compiles, and the start of Python.

``python benchmarks/diagnose.py`` runs each program without and with the collector, in turns, and prints medians with
the least and the most, and what is added: by the medians, and by the best times. On a busy machine ratios of one run
hold better than seconds do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from os import environ, getloadavg
from pathlib import Path
from statistics import median

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


#: Starts Python once more, which imports torch. Prints the CPU seconds that it took.
TIMED_START = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-c", "import torch, torch._dynamo"])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
"""


def compare(program: str, turns: int) -> tuple[list[float], list[float]]:
    """Return the seconds without and with the collector, of runs in turns. Every second turn begins with the other."""
    without, watched = [], []
    for turn in range(turns):
        for with_collector in (turn % 2 == 1, turn % 2 == 0):
            if with_collector:
                with tempfile.TemporaryDirectory() as folder:
                    watched.append(seconds(program, Path(folder)))
            else:
                without.append(seconds(program, None))
    return without, watched


CASES = {
    "a step without work": STEADY,
    "first step, backend eager": COMPILE.format(backend="eager"),
    "first step, backend aot_eager": COMPILE.format(backend="aot_eager"),
    "first step, backend inductor": COMPILE.format(backend="inductor"),
    "start of Python, torch imported": TIMED_START,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*", help="only cases whose name has one of these words")
    parser.add_argument("--turns", type=int, default=3)
    args = parser.parse_args()
    names = [name for name in CASES if any(word in name for word in args.words)] or list(CASES)
    for name in names:
        without, watched = compare(CASES[name], args.turns)
        added = ", ".join(
            f"{_added(CASES[name], of(without), of(watched))} by the {word}"
            for of, word in ((median, "medians"), (min, "best"))
        )
        load = f"load {getloadavg()[0]:.1f}"
        print(f"{name}: {_spread(without)} without, {_spread(watched)} watched, {added}, {load}", flush=True)


def _spread(times: list[float]) -> str:
    return f"{1000 * median(times):.4g} ms ({1000 * min(times):.4g} to {1000 * max(times):.4g})"


def _added(program: str, without: float, watched: float) -> str:
    added = watched - without
    if program is STEADY:
        return f"{added / 0.001:+.1%} of 1 ms"
    return f"{1000 * added:+.0f} ms" if program is TIMED_START else f"{added / without:+.1%}"


if __name__ == "__main__":
    main()
