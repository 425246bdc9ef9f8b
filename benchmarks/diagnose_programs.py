"""How many programs of ``tests/programs`` get the right finding first, later or not, and how many get a false one.

``python benchmarks/diagnose_programs.py`` runs each of them by ``diagnose``, as its test does, and prints a table and
the programs that are not as they should be.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests/programs"), str(ROOT / "tests")]

from test_first_findings import diagnose, expected, programs, told  # noqa: E402

KINDS = {
    "sick": "with a fault, known by its rule and line",
    "fixed": "the same with its fix",
    "healthy": "healthy",
}
Faults = list[tuple[str, int]]
#: What a report may be: what is right comes first, or after something else, or nothing is reported, or something else.
RESULTS = ("right first", "right later", "silent", "wrong")

#: How long a program may take on a machine that does other work too, in seconds.
PATIENCE = 1800


def judge(name: str) -> tuple[Faults, Faults]:
    """Return the fault that a program has, and those that its report has. Print them, as all programs take minutes."""
    with tempfile.TemporaryDirectory() as folder:
        found = expected(name), told(name, diagnose(name, Path(folder), timeout=PATIENCE))
    print(f"{name}: {found[1] or 'no fault'}", file=sys.stderr, flush=True)
    return found


def result(right: Faults, reported: Faults) -> str:
    """Return which of the results a report is."""
    if reported[:1] == right:
        return RESULTS[0]
    if not reported:
        return RESULTS[2]
    return RESULTS[1] if right and right[0] in reported else RESULTS[3]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="*", help="such as sick/item; without any, all")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time")
    args = parser.parse_args()
    names = {kind: [name for name in programs(kind) if name in (args.programs or [name])] for kind in KINDS}
    with ThreadPoolExecutor(args.jobs) as pool:
        judged = {kind: dict(zip(names[kind], pool.map(judge, names[kind]), strict=True)) for kind in KINDS}
    print(f"| programs | number | {' | '.join(RESULTS)} | false faults |\n|{' --- |' * (len(RESULTS) + 3)}")
    misses = []
    for kind, words in KINDS.items():
        results = {name: result(right, reported) for name, (right, reported) in judged[kind].items()}
        false = sum(len(reported) for right, reported in judged[kind].values() if not right)
        numbers = [len(results), *map(list(results.values()).count, RESULTS), false]
        print(f"| {words} | {' | '.join(map(str, numbers))} |")
        for name, (right, reported) in judged[kind].items():
            if results[name] != RESULTS[0]:
                misses.append(f"{name}: {reported[:1] or 'no fault'}, not {right or 'none'}")
    print("\n".join(["", *(misses or ["Misses: none."])]))


if __name__ == "__main__":
    main()
