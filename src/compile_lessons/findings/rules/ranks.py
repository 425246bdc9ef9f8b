"""Ranks that compile at other steps, for other guards, or for longer than the others, which wait for them; and ranks
whose generated code has other collectives, which wait for ever."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import Any

from compile_lessons.facts.run import Compile, FailedCheck, KernelSearch, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.guards import FailedGuard, most_telling
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import counted, rough_duration, shorten

#: Ranks differ if one compiles this many seconds and this many times longer than the fastest, or if compiles of some
#: ranks at a call, or of a version, that others don't compile take so many seconds.
_SECONDS, _RATIO = 2.0, 1.5
#: The group of all ranks, as generated code names it.
_WORLD = "0"
#: How many groups of ranks, and functions, are named, and characters of one's words.
_NAMED, _WIDTH = 3, 120

#: The compiles of each function by rank. The numbers of frames may differ, so a function is the first frame of its
#: code, the second, and so on.
_Functions = Mapping[tuple[Location, int], Mapping[int, Sequence[Compile]]]
#: One version of a function on each rank.
_Version = Mapping[int, Compile | None]
#: Ranks that are alike, the most first.
_Groups = list[tuple[Any, list[int]]]


@dataclass(frozen=True, kw_only=True)
class _Difference:
    """A version of a function in which ranks differ."""

    #: The row of the catalogue.
    cause: str
    what: str
    name: str
    #: Of a rank that differs from most of them.
    item: Compile
    #: Whether some ranks don't have this version.
    absent: bool
    #: Seconds since the first compile of its rank: the clocks of two machines may differ.
    since: float


def ranks_that_differ(run: Run) -> Iterator[Finding]:
    """Yield a finding if ranks wait for compiles of others, and others for generated code that differs."""
    ranks: dict[int, Process] = {}
    for process in sorted(run.processes, key=_seconds):  # a rank may have started others, which compile less
        if process.rank is not None and process.compiles:
            ranks[process.rank] = process
    ranks = dict(sorted(ranks.items()))
    if len(ranks) < 2:
        return
    functions = _functions(ranks)
    differences = sorted(_differences(functions, ranks), key=lambda each: each.since)
    waits = [each for each in differences if each.cause not in ("collectives", "cache")]
    yield from _waits(ranks, functions, waits, [each for each in differences if each.cause == "cache"])
    for first in [each for each in differences if each.cause == "collectives"][:1]:
        yield finding(fix("ranks-differ", first.cause), first.what, where=(first.item.place,))
    yield from _winners(ranks)


def _waits(
    ranks: Mapping[int, Process], functions: _Functions, waits: Sequence[_Difference], caches: Sequence[_Difference]
) -> Iterator[Finding]:
    """Yield a finding that names the first difference, from which those after it may follow."""
    seconds = {rank: _seconds(process) for rank, process in ranks.items()}
    slow, fast = max(seconds, key=seconds.__getitem__), min(seconds, key=seconds.__getitem__)
    lost = seconds[slow] - seconds[fast]
    alone = sum(_seconds_alone(versions, len(ranks)) for versions in functions.values())
    longer = lost >= max(_SECONDS, (_RATIO - 1) * seconds[fast])
    if not longer and alone < _SECONDS and not any(each.absent for each in waits):
        return
    counts = {rank: sum(map(_has_code, ranks[rank].compiles)) for rank in (slow, fast)}
    told = [
        f"rank {rank} compiled for {rough_duration(seconds[rank])}, {counted(counts[rank], 'version')}"
        for rank in counts
    ]
    first = next(iter([*waits, *caches]), None)
    later = list(dict.fromkeys(each.name for each in waits[1:] if first and each.name != first.name))
    yield finding(
        fix("ranks-differ", first.cause if first else "time"),
        first.what if first else ", ".join(told),
        seconds=max(lost, alone),
        where=tuple(dict.fromkeys(each.item.place for each in waits or caches[:1]))[:_NAMED],
        evidence=(
            *(told if first and (longer or counts[slow] != counts[fast]) else ()),
            "ranks that compile let the others wait at their next collective",
            f"ranks differ later in {', '.join(later[:_NAMED])}" if later else "",
            *_answers_of_caches(ranks),
            "a trace alone has no numbers of calls" if waits and waits[0].item.call is None else "",
        ),
    )


def _winners(ranks: Mapping[int, Process]) -> Iterator[Finding]:
    """Yield a finding if ``triton.autotune`` chose other configurations on some ranks."""
    chosen: dict[tuple[Location, Hashable], dict[int, KernelSearch]] = defaultdict(dict)
    for rank, process in ranks.items():
        for search in process.searches:
            if search.best:
                chosen[search.code, search.keys][rank] = search
    compared = [searches for searches in chosen.values() if len(searches) > 1]
    differ = [searches for searches in compared if len({search.best for search in searches.values()}) > 1]
    if not differ:
        return
    first = min(differ, key=lambda searches: min(search.start for search in searches.values()))
    groups = _groups({rank: search.best for rank, search in first.items()})
    kernel = next(iter(first.values()))
    yield finding(
        fix("ranks-differ", "winners"),
        f"triton.autotune chose other configurations on some ranks: for {kernel.kernel}, and in all {len(differ)} of "
        f"{counted(len(compared), 'choice')}",
        advice=True,
        where=(kernel.line, kernel.code),
        evidence=(f"{_named(same)}: {shorten(str(best), _WIDTH)}" for best, same in groups[:_NAMED]),
    )


def _seconds(process: Process) -> float:
    return sum(item.seconds for item in process.compiles if not item.nested)


def _seconds_alone(versions: Mapping[int, Sequence[Compile]], ranks: int) -> float:
    """Return the seconds of a function's compiles at the calls, or if they aren't known, of the versions, at which some
    ranks compiled nothing."""
    by_call = all(item.call is not None for items in versions.values() for item in items)
    at: dict[int | None, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for rank, items in versions.items():
        for number, item in enumerate(items):
            at[item.call if by_call else number][rank] += 0.0 if item.nested else item.seconds
    return sum(max(seconds.values()) for seconds in at.values() if len(seconds) < ranks)


def _answers_of_caches(ranks: Mapping[int, Process]) -> Iterator[str]:
    """Yield what Inductor's cache answered, for ranks for which it differs: ``rank 1: 2 × miss, hit``."""
    answers = {rank: tuple(cache for item in each.compiles for cache in item.caches) for rank, each in ranks.items()}
    groups = _groups(answers)
    for caches, same in groups[:_NAMED] if len(groups) > 1 else ():
        runs = [(cache, len(list(run))) for cache, run in groupby(caches)]
        words = [f"{count} × {cache}" if count > 1 else cache for cache, count in runs]
        yield f"Inductor's cache, {_named(same)}: {shorten(', '.join(words) or 'not asked', _WIDTH)}"


# ---------------------------------------------------------------------------------------------- the first difference


def _has_code(item: Compile) -> bool:
    return item.outcome in ("compiled", "limit")


def _functions(ranks: Mapping[int, Process]) -> _Functions:
    """Return what can be compared: where each rank lacks a function of others, as in a pipeline, those of all ranks."""
    functions: dict[tuple[Location, int], dict[int, list[Compile]]] = defaultdict(dict)
    for rank, process in ranks.items():
        frames = Counter[Location]()
        for compiles in process.functions():
            if versions := list(filter(_has_code, compiles)):
                code = versions[0].code
                functions[code, frames[code]][rank] = versions
                frames[code] += 1
    if any(all(rank in versions for versions in functions.values()) for rank in ranks):
        return functions
    return {function: versions for function, versions in functions.items() if len(versions) == len(ranks)}


def _differences(functions: _Functions, ranks: Mapping[int, Process]) -> Iterator[_Difference]:
    """Yield where ranks begin to differ in each function, and where the cache's answers do."""
    began = {rank: min(item.start for item in process.compiles) for rank, process in ranks.items()}
    for versions in functions.values():
        rows = zip_longest(*(versions.get(rank, ()) for rank in ranks))
        for number, row in enumerate(rows, start=1):
            version = dict(zip(ranks, row, strict=True))
            found = _first_that_differs(version)
            if found is None:
                continue
            cause, groups, told = found
            odd, item = next((rank, own) for _, same in groups[::-1] for rank in same if (own := version[rank]))
            name = ranks[odd].name_of(item)
            firsts = sorted(groups[:_NAMED], key=lambda group: version[group[1][0]] is None)
            words = [f"{_named(same)} {told(version[same[0]])}" for _, same in firsts]
            yield _Difference(
                cause=cause,
                what=f"version {number} of {name}: {', '.join(words)}",
                name=name,
                item=item,
                absent=None in version.values(),
                since=min(each.start - began[rank] for rank, each in version.items() if each),
            )
            if cause != "cache":
                break


def _first_that_differs(version: _Version) -> tuple[str, _Groups, Callable[[Compile | None], str]] | None:
    """Return the cause, the ranks that are alike, and what to say of one of them."""
    items = [item for item in version.values() if item]
    if len(items) < len(version):
        groups = _groups({rank: item is not None for rank, item in version.items()})
        return _cause(items), groups, _told_of_compile
    numbered = all(item.call is not None for item in items)
    for key in (_guard, attrgetter("call")) if numbered else (_guard,):
        groups = _groups({rank: key(item) for rank, item in version.items() if item})
        if len(groups) > 1:
            return _cause(items), groups, _told_of_compile
    codes = min(len(item.collectives) for item in items)  # one that was not compiled yet, as a backward, may be alike
    used = [{group for code in item.collectives[:codes] for _, group in code} for item in items]
    shared = set.intersection(*used) | {_WORLD}  # other groups may be of these ranks alone
    orders = {rank: _order(item, codes, shared) for rank, item in version.items()}
    groups = _groups(orders)
    if len(groups) > 1:
        at = next(n for n, each in enumerate(zip_longest(*orders.values())) if len({*each}) > 1)
        return "collectives", groups, lambda item: _told_of_collective(_order(item, codes, shared), at)
    groups = _groups({rank: item.caches for rank, item in version.items() if item})
    if len(groups) > 1:
        return (
            "cache",
            groups,
            lambda item: f"got {', '.join(item.caches if item else ()) or 'nothing'} from Inductor's cache",
        )
    return None


def _groups(values: Mapping[int, Hashable]) -> _Groups:
    """Return the ranks of each value, the most ranks first."""
    groups = grouped((value, rank) for rank, value in values.items())
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def _guard(item: Compile) -> Hashable:
    return _changed(item.guards).key if item.guards else None


@lru_cache(4096)
def _changed(guards: tuple[FailedCheck, ...]) -> FailedGuard:
    return most_telling(guards)  # ranks have the same texts


def _cause(items: Sequence[Compile]) -> str:
    """Return the row of the catalogue for compiles that not all ranks make alike."""
    guards = [_changed(item.guards) for item in items if item.guards]
    if not guards:
        return "step"
    return "size" if any(guard.cause.name in ("size", "sizes") for guard in guards) else "guard"


def _told_of_compile(item: Compile | None) -> str:
    if item is None:
        return "didn't compile it"
    call = f" in call {item.call}" if item.call is not None else ""
    return f"compiled it{call}{f' ({_changed(item.guards).change})' if item.guards else ''}"


def _order(item: Compile | None, codes: int, groups: set[str]) -> tuple[str, ...]:
    """Return the collectives of these groups in the first generated codes."""
    found = item.collectives[:codes] if item else ()
    return tuple(name for code in found for name, group in code if group in groups)


def _told_of_collective(order: Sequence[str], at: int) -> str:
    return f"got {order[at]} as collective {at + 1}" if at < len(order) else f"got no collective {at + 1}"


def _named(ranks: Sequence[int]) -> str:
    """Return ``rank 3`` or ``ranks 0-2, 5``; of many that are not in a row, the first ones and their number."""
    runs = [[rank for _, rank in run] for _, run in groupby(enumerate(ranks), key=lambda pair: pair[1] - pair[0])]
    words = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:_NAMED]]
    more = f" ({len(ranks)} ranks)" if len(runs) > _NAMED else ""
    return f"{'rank' if len(ranks) == 1 else 'ranks'} {', '.join(words)}{', …' if more else ''}{more}"
