"""How many programs of ``tests/programs`` get the right finding first, and how many get one that is false.

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
sys.path.insert(0, str(ROOT / "tests/programs"))

from test_first_findings import PROGRAMS, diagnose, expected, told  # noqa: E402

KINDS = {
    "sick": "with a fault: its rule and line come first",
    "fixed": "the same with its fix: no fault",
    "healthy": "healthy: no fault",
}
Faults = list[tuple[str, int]]


#: How long a program may take on a machine that does other work too, in seconds.
PATIENCE = 1800


def judge(name: str) -> tuple[Faults, Faults]:
    """Return the fault that a program has, and those that its report has. Print them, as all programs take minutes."""
    with tempfile.TemporaryDirectory() as folder:
        found = expected(name), told(name, diagnose(name, Path(folder), timeout=PATIENCE))
    print(f"{name}: {found[1] or 'no fault'}", file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time")
    args = parser.parse_args()
    names = {kind: [f"{kind}/{path.stem}" for path in sorted((PROGRAMS / kind).glob("*.py"))] for kind in KINDS}
    with ThreadPoolExecutor(args.jobs) as pool:
        judged = {kind: dict(zip(names[kind], pool.map(judge, names[kind]), strict=True)) for kind in KINDS}
    print("| programs | number | right | false faults |\n| --- | --- | --- | --- |")
    misses = []
    for kind, words in KINDS.items():
        wrong = {name: found for name, found in judged[kind].items() if found[1][:1] != found[0]}
        false = sum(len(reported) for right, reported in judged[kind].values() if not right)
        print(f"| {words} | {len(names[kind])} | {len(names[kind]) - len(wrong)} | {false} |")
        misses += [
            f"{name}: {reported[:1] or 'no fault'}, not {right or 'none'}" for name, (right, reported) in wrong.items()
        ]
    print("\n".join(["", *(misses or ["Misses: none."])]))


if __name__ == "__main__":
    main()
