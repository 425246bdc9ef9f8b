"""Memory that stays with the versions of a function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch
from compile_lessons.facts.run import Compile, Memory, Process, Run
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.words import counted

#: Bytes that a recompile leaves behind, and all recompiles of a function together.
_EACH = 32e6
_TOTAL = 200e6


def growing_memory(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function whose recompiles each left much memory taken."""
    for process in run.processes:
        frames: dict[object, list[Compile]] = defaultdict(list)
        for item in process.compiles:
            if item.guards and item.outcome == "compiled" and not item.nested:
                frames[item.frame, item.code].append(item)
        for again in frames.values():
            for kind in ("GPU", "host"):
                total, grown = _growth(again, kind)
                if grown and total >= _TOTAL:
                    yield _finding(process, again, kind, total)
                    break


def _growth(again: list[Compile], kind: str) -> tuple[int, bool]:
    """Return the bytes that recompiles added, and whether most of them added much."""
    memories: list[Memory] = [m for item in again if (m := item.memory if kind == "host" else item.gpu_memory)]
    added = [memory.after - memory.before for memory in memories]
    return sum(added), sum(each >= _EACH for each in added) > len(added) / 2


def _finding(process: Process, again: list[Compile], kind: str, total: int) -> Finding:
    region = process.region(again[0].region)
    use = innermost(reversed(region.stack)) if region else None
    where = "of memory" if kind == "host" else "of GPU memory"
    peak = process.peak if kind == "host" else process.gpu_peak
    return Finding(
        rule="memory-of-versions",
        severity="fault",
        what=(
            f"{counted(len(again), 'recompile')} of {function_name(again[0], region)} added {_megabytes(total)} {where}"
        ),
        where=tuple(dict.fromkeys(line for line in (use, again[0].code) if line and is_not_torch(line.file))),
        evidence=(f"{_megabytes(total // len(again))} each", *([f"the peak was {_megabytes(peak)}"] if peak else [])),
        remedy=(
            "let one version serve all sizes, without dynamic=False, or set torch._inductor.config.freezing = False: "
            "each version keeps constants of its own"
        ),
        lesson="dynamo/recompiles",
    )


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
