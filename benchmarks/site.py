"""Measure the runner and the site against the alternatives: ``python benchmarks/site.py``, or ``make bench``.

Everything happens in a temporary folder, on projects made for the purpose. All that is compared is measured in this one
run, in turn. It is a measurement, not a test: a target that is missed is said, and the exit status is 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import parts
import report
from measure import Part

from compile_lessons.runs.machine import this_machine

#: What can be asked for by name, and how many times each is repeated for every repetition of the longest.
PARTS: dict[str, tuple[Callable[[Path, int], Part], int]] = {
    "floor": (parts.against_floor, 3),
    "unchanged": (parts.unchanged, 10),
    "edited": (parts.edited, 3),
    "pages": (parts.many_pages, 2),
    "alternatives": (parts.alternatives, 1),
}


def main() -> None:
    options = _options()
    done: list[Part] = []
    print(report.machine_line(this_machine()))
    names = options.only or list(PARTS)
    for number, name in enumerate(names, 1):
        measure, times = PARTS[name]
        print(f"[{number}/{len(names)}] {name} …", file=sys.stderr, flush=True)
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            done.append(measure(Path(folder), options.repeat * times))
        print(report.table(done[-1]))
        print(f"(measured in {time.monotonic() - began:.0f} s)", flush=True)
        report.write(options.json, this_machine(), done)
    print("", *(report.missed(done) or ["every target was met"]), f"written to {options.json}", sep="\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the runner and the site against the alternatives.")
    parser.add_argument("--repeat", type=int, default=2, help="repetitions of the longest part (default 2)")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), help="where to write the figures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
