"""Ranks that compile more often, or for longer, than the others, which wait for them."""

from collections.abc import Iterator

from compile_lessons.facts.run import Process, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.compile_time import cache_hits
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.guards import most_telling
from compile_lessons.ground.words import rough_duration

#: A rank stands out if it compiles this many seconds and this many times longer than the fastest.
_SECONDS, _RATIO = 2.0, 1.5


def ranks_that_differ(run: Run) -> Iterator[Finding]:
    """Yield a finding if one rank compiles what others don't, or waits much longer for it."""
    ranks = [process for process in run.processes if process.rank is not None and process.compiles]
    if len(ranks) < 2:
        return
    seconds = {process.rank: _seconds(process) for process in ranks}
    ids = {process.rank: {item.id for item in process.compiles if item.outcome == "compiled"} for process in ranks}
    slow = max(ranks, key=_seconds)
    fast = min(ranks, key=_seconds)
    more = sorted(ids[slow.rank] - ids[fast.rank])
    lost = seconds[slow.rank] - seconds[fast.rank]
    if not more and (lost < _SECONDS or lost < (_RATIO - 1) * seconds[fast.rank]):
        return
    only = [item for item in slow.compiles if item.id in more]
    changed = [f"what changed: {most_telling(item.guards).what}" for item in only if item.guards]
    hits = [(process.rank, cache_hits(process.compiles)) for process in (slow, fast)]
    caches = [f"rank {rank}: {words}" for rank, words in hits if words and hits[0][1] != hits[1][1]]
    yield finding(
        fix("ranks-differ"),
        f"rank {slow.rank} compiled for {rough_duration(seconds[slow.rank])}, "
        f"rank {fast.rank} for {rough_duration(seconds[fast.rank])}",
        seconds=max(lost, sum(item.seconds for item in only if not item.nested)),
        where=tuple(dict.fromkeys(item.place for item in only))[:3],
        evidence=(
            f"rank {slow.rank} has {len(ids[slow.rank])} compiles, rank {fast.rank} has {len(ids[fast.rank])}",
            f"the others wait for rank {slow.rank} at their next collective",
            *caches,
            *changed[:1],
        ),
    )


def _seconds(process: Process) -> float:
    return sum(item.seconds for item in process.compiles if not item.nested)
