"""Triton kernels of the program that compile again, or are timed again, after it has begun its steady work."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import KernelArgument, KernelCompile, KernelSearch, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import Fix, fix, together
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.late import QUIET
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import counted, rough_duration

#: Launches of a kernel that waited, or seconds and the share of the run, from which it is a fault.
_OFTEN, _COSTLY, _SHARE = 4, 1.0, 0.02
#: Less time, in seconds, is no wait to tell of.
_LEAST = 0.05
#: Launches that are told one by one.
_TOLD = 4


@dataclass(frozen=True)
class NewVersion:
    """A compile of a kernel after others, and the arguments in which it differs from the one that is most like it."""

    compile: KernelCompile
    changed: tuple[tuple[KernelArgument, KernelArgument], ...]

    @property
    def cause(self) -> str:
        """The kind of the first difference, by which the catalogue has a remedy."""
        for old, new in self.changed:
            if new.type == "option":
                return "option"
            if new.special == "constexpr":
                return "constexpr"
            if new.type == old.type:
                return "alignment" if new.type.startswith("*") else "value"
            return "dtype" if new.type.startswith("*") else "width"
        return "any"

    @property
    def words(self) -> str:
        return ", ".join(_change(old, new) for old, new in self.changed) or "other options"


def kernel_recompiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each kernel that compiled again, and one for each that searched again."""
    for process in run.processes:
        for same in grouped((version.compile.code, version) for version in new_versions(process)).values():
            yield from _recompiled(run, process, same)
        for again in grouped((search.code, search) for search in late_searches(process)).values():
            yield from _searched(run, again)


def new_versions(process: Process) -> list[NewVersion]:
    """Return the compiles that launches waited for, after ``QUIET`` launches of the kernel without one."""
    before: dict[Location, list[KernelCompile]] = defaultdict(list)
    steady: set[Location] = set()
    late = []
    for item in sorted(process.kernels, key=lambda item: item.start):
        earlier = before[item.code]
        if earlier and item.launch - earlier[-1].launch >= QUIET:
            steady.add(item.code)
        if item.code in steady and not item.searching:
            late.append(NewVersion(item, _difference(earlier, item)))
        earlier.append(item)
    return late


def late_searches(process: Process) -> list[KernelSearch]:
    """Return the searches of a kernel that had been launched ``QUIET`` times since its first search."""
    first: dict[Location, int] = {}
    late = []
    for search in sorted(process.searches, key=lambda search: search.start):
        launch = search.launch or 0
        if launch - first.setdefault(search.code, launch) >= QUIET:
            late.append(search)
    return late


def _difference(
    others: Sequence[KernelCompile], item: KernelCompile
) -> tuple[tuple[KernelArgument, KernelArgument], ...]:
    """Return the arguments in which a compile differs from the one before it that has most in common with it."""
    differences = []
    for other in reversed(others):
        old = {argument.name: argument for argument in other.arguments}
        pairs = [(old[new.name], new) for new in item.arguments if new.name in old]
        differences.append(tuple((was, new) for was, new in pairs if was.key != new.key))
    return min(differences, key=len)


def _change(old: KernelArgument, new: KernelArgument) -> str:
    """Return what changed in words: ``n 1024 → 1023, which is not divisible by 16``."""
    if old.type != new.type and new.value is None:
        return f"{new.name} {old.type} → {new.type}"
    if new.value is None:
        aligned = "is" if new.special else "is not"
        return f"the address of {new.name} {aligned} divisible by 16"
    why = ""
    if new.special == "constant":
        why = ", which Triton makes a constant"
    elif "16" in new.special + old.special and new.special != "constexpr":
        why = ", which is divisible by 16" if new.special else ", which is not divisible by 16"
    elif old.type != new.type:
        why = f", of type {new.type}"
    return f"{new.name} {old.value} → {new.value}{why}"


def _recompiled(run: Run, process: Process, versions: Sequence[NewVersion]) -> Iterator[Finding]:
    compiles = [version.compile for version in versions]
    seconds = sum(item.seconds for item in compiles)
    if seconds < _LEAST:
        return
    first = versions[0]
    code = first.compile.code
    every = [item for item in process.kernels if item.code == code]
    cached = sum(bool(item.cached) for item in compiles)
    yield finding(
        _fix(versions),
        f"{first.compile.kernel} was compiled {counted(len(every), 'time')}, {rough_duration(seconds)} of that after "
        f"launch {first.compile.launch - 1}: {first.words}",
        advice=_is_rare(len(versions), seconds, run),
        seconds=seconds,
        where=(first.compile.line, code),
        evidence=(
            *(_told(version) for version in versions[:_TOLD]),
            f"{len(versions) - _TOLD} more" if len(versions) > _TOLD else "",
            f"{cached} of these were in Triton's cache on the disk" if cached else "",
        ),
    )


def _is_rare(waits: int, seconds: float, run: Run) -> bool:
    """Return whether launches that waited are too few, and too short, to be a fault."""
    return waits < _OFTEN and seconds < max(_COSTLY, _SHARE * run.seconds)


def _fix(versions: Sequence[NewVersion]) -> Fix:
    """Return what to do about each cause, with the names of its arguments."""
    names: dict[str, list[str]] = defaultdict(list)
    for version in versions:
        names[version.cause] += [new.name for _, new in version.changed[:1]]
    quoted = {cause: ", ".join(f'"{name}"' for name in dict.fromkeys(same)) for cause, same in names.items()}
    return together(fix("kernel-recompiled", cause, names=same) for cause, same in quoted.items())


def _told(version: NewVersion) -> str:
    item = version.compile
    return f"launch {item.launch} waited {rough_duration(item.seconds)}: {version.words}"


def _searched(run: Run, searches: Sequence[KernelSearch]) -> Iterator[Finding]:
    seconds = sum(search.seconds for search in searches)
    if seconds < _LEAST:
        return
    first = searches[0]
    names = [name for name, _ in first.keys]
    yield finding(
        fix("kernel-searched", keys=", ".join(f'"{name}"' for name in names)),
        f"triton.autotune timed {counted(first.configurations, 'configuration')} of {first.kernel} again for "
        f"{counted(len(searches), 'new key')}, {rough_duration(seconds)}",
        advice=_is_rare(len(searches), seconds, run),
        seconds=seconds,
        where=(first.line, first.code),
        evidence=(
            *(
                f"launch {search.launch} waited {rough_duration(search.seconds)}: "
                + ", ".join(f"{name} = {value}" for name, value in search.keys)
                for search in searches[:_TOLD]
            ),
            f"{len(searches) - _TOLD} more" if len(searches) > _TOLD else "",
            f"the fastest one each time: {searches[0].best}" if len({search.best for search in searches}) == 1 else "",
        ),
    )
