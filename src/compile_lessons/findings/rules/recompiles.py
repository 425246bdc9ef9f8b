"""Functions that are compiled again and again, and those that stop at the limit and run in eager mode."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from compile_lessons.facts.run import Compile, FailedCheck, Process, Region, Run, joined
from compile_lessons.facts.source import Location, innermost, is_not_torch, is_user_file, location, resumed
from compile_lessons.findings.catalogue import Fix, fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.guards import (
    VARIANTS,
    FailedGuard,
    line_of,
    most_telling,
    read_guard,
    readable,
    recompiled,
)
from compile_lessons.findings.late import late_calls
from compile_lessons.findings.placed_breaks import Place, places_of_breaks
from compile_lessons.findings.rules.settings import explained_by_settings
from compile_lessons.findings.syntax import nodes_of
from compile_lessons.findings.uses import by_use
from compile_lessons.ground.words import counted, file_line, rough_duration, short_number

#: Fewer recompiles for one cause are how torch learns which sizes change, or a switch between training and inference.
_LEAST = 3
#: Fewer get advice if they take so many seconds, and such a share of the run.
_COSTLY = 5.0
_SHARE = 0.1
#: Training and evaluation need a version each.
_TWO_USES = re.compile(r"\b(?:grad_mode|training)\b")
#: So do a prompt and one token, with a cache that is empty and one that isn't, and calls with other arguments.
_OTHER_USE = ("length", "empty", "type", "rank")

#: A compile, and the guard that says why there is one more.
_Failed = tuple[Compile, FailedGuard]


@dataclass(frozen=True)
class _Function:
    """All compiles of one function in one process."""

    process: Process
    compiles: tuple[Compile, ...]

    @property
    def limit(self) -> Compile | None:
        return next((item for item in self.compiles if item.outcome == "limit"), None)

    @cached_property
    def again(self) -> list[tuple[Compile, tuple[FailedCheck, ...]]]:
        """The compiles for which earlier versions did not fit, and their guards, but for those that a setting explains.
        All uses share the limit."""
        if self.limit:
            return [
                (item, item.guards) for item in self.compiles if item.guards and item.outcome in ("compiled", "limit")
            ]
        told = explained_by_settings(self.compiles)
        return [(item, guards) for item, guards in recompiled(self.compiles) if item not in told]

    @property
    def seconds(self) -> float:
        outer = ((item.start, item.ends) for item, _ in self.again if not item.nested)
        return sum(end - start for start, end in joined(outer))

    @property
    def region(self) -> Region | None:
        return self.process.region(self.compiles[0].region)


def recompiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function, for the cause that has most recompiles; of a capture, for each cause.

    The finding of a graph break tells what recompiles because of the break.
    """
    for process in run.processes:
        yield from (found for place, found in recompiles_of(process, run) if place is None)


def recompiles_of(process: Process, run: Run) -> Iterator[tuple[Place | None, Finding]]:
    """Yield each finding, with the place of the graph break that it follows from."""
    breaks = places_of_breaks(process, run)
    functions = [_Function(process, compiles) for compiles in process.functions()]
    causes_of = [_causes(function, run) for function in functions]
    since = _compiled_since_limits(functions, causes_of)
    for function, causes in zip(functions, causes_of, strict=True):
        if not causes:
            yield from [(None, _finding(function, [], function.limit))] if function.limit else ()
        elif run.captured:
            yield from ((None, found) for found in _of_capture(function, causes))
        elif not any(function in others for others in since.values()):
            code = function.compiles[0].code
            divided = resumed(code.function)
            place = (code.file, divided[1]) if divided and "___stack" in causes[0][0][1].raw else None
            for found in _of_program(function, causes, run):
                followed = _with_what_follows(found, since[_key(function, causes)]) if function.limit else found
                yield place if place in breaks else None, followed


def _key(function: _Function, causes: Sequence[list[_Failed]]) -> object:
    return function.compiles[0].region, causes[0][0][1].key if causes else None


def _compiled_since_limits(
    functions: Sequence[_Function], causes_of: Sequence[Sequence[list[_Failed]]]
) -> dict[object, list[_Function]]:
    """Return torch's own functions that are compiled for themselves, for the cause of a limit that one around it has.

    FlexAttention is one: its caller runs in eager mode since the limit.
    """
    keys = [_key(function, causes) for function, causes in zip(functions, causes_of, strict=True)]
    since: dict[object, list[_Function]] = {key: [] for key, each in zip(keys, functions, strict=True) if each.limit}
    for key, function in zip(keys, functions, strict=True):
        if key in since and not function.limit and not is_not_torch(function.compiles[0].code.file):
            since[key].append(function)
    return since


def _with_what_follows(found: Finding, since: Sequence[_Function]) -> Finding:
    names = [function.process.name_of(function.compiles[0]) for function in since]
    seconds = (found.seconds or 0) + sum(function.seconds for function in since)
    evidence = (f"as a result, {name} is compiled again, for the same cause" for name in names)
    return replace(found, seconds=seconds or None, evidence=(*found.evidence, *evidence))


def _causes(function: _Function, run: Run) -> list[list[_Failed]]:
    """Return what failed, by cause: the most frequent cause first. Calls that were captured are few, so all count."""
    causes: dict[tuple[str, str], list[_Failed]] = defaultdict(list)
    changing = _changing(function)
    for item, guards in function.again:
        checks = [(check,) for check in guards] if run.captured else [guards]
        telling = (_telling(each, changing) for each in checks)
        for key, guard in {guard.key: guard for guard in telling}.items():
            causes[key].append((item, guard))
    return sorted(causes.values(), key=lambda same: (-len(same), same[0][1].cause.name in VARIANTS))


def _changing(function: _Function) -> set[tuple[str, str]]:
    """Return what had another value in each newest version, as the length of a list that grows with each call."""
    newest = [read_guard(guards[0].text) for _, guards in function.again]
    values = {(guard.key, guard.old) for guard in newest if guard.old is not None}
    return {key for key, count in Counter(key for key, _ in values).items() if count >= _LEAST}


def _telling(guards: Sequence[FailedCheck], changing: set[tuple[str, str]]) -> FailedGuard:
    newest = most_telling(guards[:1])
    return newest if newest.key in changing else most_telling(guards)


def _of_capture(function: _Function, causes: Sequence[list[_Failed]]) -> Iterator[Finding]:
    for number, same in enumerate(causes):
        limit = None if number else function.limit
        found = _finding(function, same, limit, advice=limit is None and len(same) < _LEAST)
        share = f", {counted(len(same), 'time')} for this cause" if limit is None and len(causes) > 1 else ""
        yield replace(found, what=f"{found.what}{share}")


def is_frequent(process: Process, item: Compile, run: Run) -> bool:
    """Return whether the function of a compile has a finding that is a fault, for what triggers its recompiles."""
    for compiles in process.functions():
        if item in compiles:
            function = _Function(process, compiles)
            causes = _causes(function, run)
            return function.limit is not None or (bool(causes) and _is_fault(function, causes[0]))
    return False


def _is_fault(function: _Function, same: list[_Failed]) -> bool:
    if function.limit is not None:
        return True
    # A program may ask for a version for each size, and have room for all of them.
    room = function.region.own_limit if function.region and function.region.dynamic is False else None
    return _times(same) >= _LEAST and (room is None or room < len(same))


def _of_program(function: _Function, causes: Sequence[list[_Failed]], run: Run) -> Iterator[Finding]:
    same, *others = causes
    if _is_fault(function, same):
        yield _finding(function, same, function.limit)
    if _times(same) >= _LEAST or function.limit is not None:
        return
    if all(_is_second_use(guard) for cause in causes for _, guard in cause):
        return
    if function.seconds >= max(_COSTLY, _SHARE * run.seconds):
        again = [item for item, _ in function.again]
        late = [item for call in late_calls(function.process) for item in call.compiles if item in again]
        if 2 * sum(item.seconds for item in late) > function.seconds:  # these have a finding
            return
        found = _finding(function, same, None, advice=True)
        more = dict.fromkeys(guard.what for cause in others for _, guard in cause)
        yield replace(found, evidence=(*found.evidence, *more))


def _times(same: Sequence[_Failed]) -> int:
    """Return how often a cause had one use of ``torch.compile`` compile again. A new backend makes each use another."""
    if same[0][1].cause.name == "backend":
        return len(same)
    return max(Counter(item.region for item, _ in same).values())


def _is_second_use(guard: FailedGuard) -> bool:
    """Return whether one more version is right, as what changed tells apart two uses of a function."""
    return bool(_TWO_USES.search(guard.what)) or guard.cause.name in _OTHER_USE or guard.old in ("True", "False")


def _finding(function: _Function, same: Sequence[_Failed], limit: Compile | None, advice: bool = False) -> Finding:
    first = function.compiles[0]
    name = function.process.name_of(first)
    seconds = function.seconds
    versions = sum(item.outcome == "compiled" for item in function.compiles)
    again = f", {rough_duration(seconds)} of that again" if seconds else ""
    what = f"{name} was compiled {counted(versions, 'time')}{again}"
    if limit is not None:
        region = function.process.region(limit.region)
        seconds += sum(item.eager_seconds for item in _same_code(function.process, region))
        what = f"{name} {_after_limit(function, limit)}"
    if not same:
        return finding(fix("recompile-limit"), what, seconds=seconds or None, where=(first.code,))
    last, guard = same[-1]
    guard = by_use(guard, line_of(guard, function.compiles) or first.code)
    remedy, where, note = _remedy(function, guard, last, limit)
    if not any(where) and is_user_file(first.code.file):  # torch's trace has no caller
        where = [first.code]
    values = _values(same)
    changed = f"{guard.what}, {counted(len(same), 'time')}" if values in guard.what else f"{guard.what}: {values}"
    return finding(
        Fix(
            rule=remedy.rule or ("recompile-limit" if limit else "recompiles"),
            remedy=remedy.remedy,
            lesson=remedy.lesson or guard.lesson,
        ),
        what,
        advice=advice,
        seconds=seconds or None,
        where=where,
        evidence=(changed, note),
    )


def _after_limit(function: _Function, limit: Compile) -> str:
    region = function.process.region(limit.region)
    own = region.own_limit if region and region.own_limit else limit.limits[0]
    words = f"reached its limit of {own if own is not None else len(function.again)} versions and runs in eager mode"
    if region is None or limit.eager_calls is None:
        return words
    same = _same_code(function.process, region)
    total, eager = sum(item.calls for item in same), sum(item.eager_calls for item in same)
    spent = sum(item.eager_seconds for item in same)
    seconds = f", {rough_duration(spent)}" if spent else ""
    if limit.eager_calls > total:  # one call of the region has many calls of this function
        times = f"{limit.eager_calls} times in {eager} of {counted(total, 'call')} of {region.name}"
        return f"{words}: {times}{seconds}"
    since = f" since call {limit.call}" if limit.call and len(same) == 1 else ""
    return f"{words}{since}: {max(limit.eager_calls, eager)} of {counted(total, 'call')}{seconds}"


def _same_code(process: Process, region: Region | None) -> list[Region]:
    """Return the uses of torch.compile that share the versions of a region's function."""
    if region is None:
        return []
    return [item for item in process.regions if item.code == region.code] if region.code else [region]


def _values(same: Sequence[_Failed]) -> str:
    """Return ``0 → 1 → 2 → … → 8``."""
    known = dict.fromkeys(value for _, guard in same for value in (guard.old, guard.new) if value)
    values = [*map(short_number, known)]
    return " → ".join(values if len(values) <= 5 else [*values[:3], "…", values[-1]])


def _remedy(
    function: _Function, guard: FailedGuard, last: Compile, limit: Compile | None
) -> tuple[Fix, list[Location | None], str]:
    """Return what to do, the lines, and a sentence that explains."""
    region = function.region
    use = region.use if region else None
    call = last.call_line
    lines = [line_of(guard, function.compiles), call, use]
    if limit and region and region.limit and region.own_limit is None:
        here = limit.limits[0]
        if here is not None and here < region.limit:
            note = (
                f"recompile_limit is {region.limit} in {region.thread} and {here} in {limit.thread}: "
                "since torch 2.12 a setting of torch._dynamo.config holds for the thread that sets it"
            )
            return fix("limit-in-thread", limit=region.limit), [use, call], note
    if guard.cause.name == "backend":
        return Fix(rule="compiled-anew", remedy=guard.remedy), [use, call], ""
    if guard.cause.name in ("betas", "lr", "optimizer"):
        return Fix(rule="optimizer-number", remedy=guard.remedy), [_scheduler(function), call, use], ""
    uses = len({item.region for item in function.compiles if item.region is not None})
    if uses > 1 and guard.cause.name == "argument" and region and region.module is None:
        return _fix("shared-argument", source=guard.source), lines, ""
    if uses > 1 and guard.cause.name in ("size", "parameter", "string", "attribute", "requires_grad"):
        own = [use, call] if guard.cause.name == "size" else lines
        return _fix("shared"), own, f"{uses} uses of torch.compile share the versions of one function"
    if guard.cause.name == "size":
        return _size(function, guard, use, last)
    if guard.library and is_user_file((lines[0] or guard.library).file):
        return _fix("library"), lines, f"{file_line(guard.library.file, guard.library.line)} reads it"
    # The user's code may call a function of a library that depends on the value.
    is_region = region is not None and region.code == last.code
    of_library = not is_region and is_not_torch(last.code.file) and not is_user_file(last.code.file)
    called = bool(last.stack) and is_user_file(last.stack[0].file)
    return _fix("library") if of_library and called else Fix(remedy=guard.remedy), lines, ""


def _fix(cause: str, **names: object) -> Fix:
    """Return a remedy that depends on more than the guard, and leave the rule to the caller."""
    return msgspec.structs.replace(fix("recompiles", cause, **names), rule="")


def _size(
    function: _Function, guard: FailedGuard, use: Location | None, last: Compile
) -> tuple[Fix, list[Location | None], str]:
    """Return what to do about a size that changes, the lines, and a sentence that explains."""
    region = function.region
    where = [use, last.call_line]
    if region and region.dynamic is False:
        return _fix("static"), where, ""
    for item, _ in function.again:
        for source, stack in item.constants:
            line = innermost(stack)
            if line and readable(source) == f"{guard.source}.size()[{guard.index}]":
                return _fix("constant"), [line, *where], "this line makes the size a constant"
    same = [each for _, guards in function.again if (each := most_telling(guards)).key == guard.key]
    values = {value for each in same for value in (each.old, each.new) if value}
    if len(values) == 2 and values & {"0", "1"}:
        name = guard.source if guard.source.isidentifier() else "tensor"
        note = "sizes 0 and 1 get versions of their own"
        return _fix("zero-or-one", name=name, index=guard.index), where[::-1], note
    if region is None:  # from torch's trace, which has no options of torch.compile
        return _fix("perhaps-static", remedy=guard.remedy), where, ""
    if region.dynamic is None and last.stack and not is_user_file(last.stack[0].file):
        # The user can't mark a tensor that a library makes.
        if region.stack and is_user_file(region.stack[0].file):
            return _fix("of-a-library"), where, "a library calls this function"
        raw = re.sub(r"^(\w+)", r"L['\1']", guard.raw)
        return _fix("in-a-library", raw=raw), where[::-1], "a library calls this function, and torch.compile"
    return Fix(remedy=guard.remedy), where[::-1], ""


_SCHEDULER = re.compile(r"(?:LR|Scheduler|Restarts|OnPlateau)$|^get_\w*schedule")


def _scheduler(function: _Function) -> Location | None:
    """Return the line of the user's files that makes a learning rate scheduler."""
    files = dict.fromkeys(line.file for item in function.compiles for line in item.stack if is_user_file(line.file))
    for file in files:
        for node in nodes_of(file):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if _SCHEDULER.search(name):
                    return location(file, node.lineno)
    return None
