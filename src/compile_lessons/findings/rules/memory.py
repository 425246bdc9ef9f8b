"""Memory that stays with the versions of a function."""

from collections.abc import Iterable, Iterator

from compile_lessons.facts.run import Memory, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted

#: Bytes that a recompile leaves behind, and all recompiles of a function together.
_EACH, _TOTAL = 32e6, 200e6


def growing_memory(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function whose recompiles each left much memory taken: the GPU's, else the host's."""
    for process in run.processes:
        for versions in process.functions():
            again = [item for item in versions if item.guards and item.outcome == "compiled" and not item.nested]
            on_gpu = _growth(item.gpu_memory for item in again)
            total = on_gpu or _growth(item.memory for item in again)
            if not total:
                continue
            peak = process.gpu_peak if on_gpu else process.peak
            recompiles = f"{counted(len(again), 'recompile')} of {process.name_of(again[0])}"
            yield finding(
                fix("memory-of-versions"),
                f"{recompiles} added {_megabytes(total)} of {'GPU ' if on_gpu else ''}memory",
                where=(process.use_of(again[0]), again[0].code),
                evidence=(
                    f"{_megabytes(total // len(again))} each",
                    f"the peak was {_megabytes(peak)}" if peak else "",
                ),
            )


def _growth(memories: Iterable[Memory | None]) -> int:
    """Return the bytes that recompiles added, if they are many and most recompiles added much; else 0."""
    added = [memory.after - memory.before for memory in memories if memory]
    return sum(added) if sum(added) >= _TOTAL and sum(each >= _EACH for each in added) > len(added) / 2 else 0


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
