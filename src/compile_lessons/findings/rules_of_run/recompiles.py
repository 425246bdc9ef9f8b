"""Functions that are compiled again and again, and those that stop at the limit and run in eager mode."""

from __future__ import annotations

import ast
import linecache
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from compile_lessons.facts.places import innermost, is_not_torch, is_user_file, location
from compile_lessons.facts.run import Compile, Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import VARIANTS, FailedGuard, most_telling, readable
from compile_lessons.ground.reading import parse
from compile_lessons.ground.words import counted, rough_duration, short_number

#: Fewer recompiles for one cause are how torch learns which sizes change, or a switch between training and inference.
LEAST = 3


@dataclass(frozen=True)
class _Frame:
    """All compiles of one function in one process."""

    process: Process
    compiles: tuple[Compile, ...]

    @property
    def limit(self) -> Compile | None:
        return next((item for item in self.compiles if item.outcome == "limit"), None)

    @property
    def again(self) -> list[Compile]:
        """The compiles for which an earlier version did not fit."""
        return [item for item in self.compiles if item.guards and item.outcome != "skipped"]

    @property
    def region(self) -> Region | None:
        return self.process.region(self.compiles[0].region)


def recompiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each function and each cause."""
    for process in run.processes:
        for frame in _frames(process):
            yield from _of_frame(frame, run)


def _frames(process: Process) -> Iterator[_Frame]:
    by_frame: dict[object, list[Compile]] = defaultdict(list)
    for item in process.compiles:
        if item.frame is not None:  # torch._dynamo.reset() begins to count again
            by_frame[item.frame, item.code].append(item)
    for items in by_frame.values():
        yield _Frame(process, tuple(items))


def _of_frame(frame: _Frame, run: Run) -> Iterator[Finding]:
    failed = [(item, most_telling(item.guards)) for item in frame.again]
    causes = Counter(guard.key for _, guard in failed)
    if not causes:
        return
    key = max(causes, key=lambda each: (causes[each], each[0] not in VARIANTS))
    count = causes[key]
    same = [(item, guard) for item, guard in failed if guard.key == key]
    if frame.limit is not None or count >= LEAST:
        if frame.limit is not None or not _on_purpose(frame, count):
            yield _finding(frame, same, frame.limit)
        return
    if all(_is_second_use(guard) for _, guard in failed):
        return
    seconds = sum(item.seconds for item in frame.again if not item.nested)
    if seconds >= _COSTLY and seconds >= _SHARE * run.seconds:
        found = _finding(frame, same, None)
        others = [guard.what for _, guard in failed if guard.key != key]
        yield replace(found, severity="advice", evidence=(*found.evidence, *dict.fromkeys(others)))


#: Fewer recompiles than ``LEAST`` get advice if they take so many seconds, and such a share of the run.
_COSTLY = 5.0
_SHARE = 0.1


#: Training and evaluation need a version each.
_TWO_USES = re.compile(r"\b(?:grad_mode|training)\b")
#: So do a prompt and one token, with a cache that is empty and one that isn't, and calls with other arguments.
_OTHER_USE = ("length", "empty", "type", "rank")


def _is_second_use(guard: FailedGuard) -> bool:
    """Return whether one more version is right, as what changed tells apart two uses of a function."""
    return bool(_TWO_USES.search(guard.what)) or guard.cause.name in _OTHER_USE or guard.old in ("True", "False")


def _on_purpose(frame: _Frame, count: int) -> bool:
    """Return whether the program asks for a version for each size, and has room for all of them."""
    region = frame.region
    return bool(region and region.dynamic is False and region.own_limit and region.own_limit >= count)


def _finding(frame: _Frame, same: Sequence[tuple[Compile, FailedGuard]], limit: Compile | None) -> Finding:
    last, guard = same[-1]
    region = frame.region
    name = function_name(frame.compiles[0], region)
    seconds = sum(item.seconds for item in frame.again if not item.nested)
    versions = sum(item.outcome == "compiled" for item in frame.compiles)
    what = f"{name} was compiled {counted(versions, 'time')}, {rough_duration(seconds)} of that again"
    if limit is not None:
        seconds += _eager_seconds(frame, limit)
        what = f"{name} {_after_limit(frame, limit)}"
    rule, remedy, where, note = _remedy(frame, guard, last, limit)
    if not where and is_user_file(frame.compiles[0].code.file):  # torch's trace has no caller
        where = [frame.compiles[0].code]
    evidence = [f"{guard.what}: {_values(same)}" if guard.old else f"{guard.what}, {counted(len(same), 'time')}"]
    evidence += [note] if note else []
    return Finding(
        rule=rule,
        severity="fault",
        what=what,
        seconds=seconds,
        where=tuple(dict.fromkeys(where)),
        evidence=tuple(evidence),
        remedy=remedy,
        lesson=_LESSONS.get(rule, guard.cause.lesson),
    )


_LESSONS = {"limit-in-thread": "production/serving", "optimizer-number": "dynamo/recompiles"}


def function_name(item: Compile, region: Region | None) -> str:
    """Return ``Encoder.forward``. The frame of a module of torch's is a wrapper, so the region has the name."""
    if region is None:
        return item.name
    own = region.code and (region.code.file, region.code.line) == (item.code.file, item.code.line)
    wrapper = not is_user_file(item.code.file) and item.code.function in ("inner", "_call_impl", "wrapper")
    if own or wrapper or item.code.function == region.name.rpartition(".")[2]:
        return region.name
    if item.code.function.startswith("torch_dynamo_resume_in_"):
        function, _, line = item.code.function.removeprefix("torch_dynamo_resume_in_").rpartition("_at_")
        return f"{function}, from the graph break in line {line} on,"
    return f"{item.name} (in {region.name})"


def _after_limit(frame: _Frame, limit: Compile) -> str:
    region = frame.process.region(limit.region)
    own = region.own_limit if region and region.own_limit else limit.limits[0]
    words = f"reached its limit of {own if own is not None else len(frame.again)} versions and runs in eager mode"
    if region is None or limit.eager_calls is None:
        return words
    same = _same_code(frame.process, region)
    total, eager = sum(item.calls for item in same), sum(item.eager_calls for item in same)
    seconds = rough_duration(sum(item.eager_seconds for item in same))
    if limit.eager_calls > total:  # one call of the region has many calls of this function
        return f"{words}: {limit.eager_calls} times in {eager} of {counted(total, 'call')} of {region.name}, {seconds}"
    since = f" since call {limit.call}" if limit.call and len(same) == 1 else ""
    return f"{words}{since}: {max(limit.eager_calls, eager)} of {counted(total, 'call')}, {seconds}"


def _same_code(process: Process, region: Region) -> list[Region]:
    """Return the uses of torch.compile that share the versions of a region's function."""
    return [item for item in process.regions if item.code == region.code] if region.code else [region]


def _eager_seconds(frame: _Frame, limit: Compile) -> float:
    region = frame.process.region(limit.region)
    return sum(item.eager_seconds for item in _same_code(frame.process, region)) if region else 0.0


def _values(same: Sequence[tuple[Compile, FailedGuard]]) -> str:
    """Return ``0 → 1 → 2 → … → 8``."""
    values = [same[0][1].old or "?"]
    for _, guard in same:
        if guard.old and guard.old != values[-1]:
            values.append(guard.old)
    if same[-1][1].new and same[-1][1].new != values[-1]:
        values.append(same[-1][1].new)
    values = [short_number(value) for value in values]
    return " → ".join(values if len(values) <= 5 else [*values[:3], "…", values[-1]])


def _remedy(
    frame: _Frame, guard: FailedGuard, last: Compile, limit: Compile | None
) -> tuple[str, str, list[Location], str]:
    """Return the rule, what to do, the lines, and a sentence that explains."""
    region = frame.region
    use = innermost(reversed(region.stack)) if region else None
    call = innermost(reversed(last.stack))
    reads = _line_of(guard, frame)
    lines = [line for line in (reads, call, use) if line]
    rule = "recompile-limit" if limit else "recompiles"
    if limit and region and region.limit and region.own_limit is None:
        here = limit.limits[0]
        if here is not None and here < region.limit:
            count = max(region.limit, here)
            note = (
                f"recompile_limit is {region.limit} in {region.thread} and {here} in {limit.thread}: "
                "since torch 2.12 a setting of torch._dynamo.config holds for the thread that sets it"
            )
            where = [line for line in (use, call) if line]
            return (
                "limit-in-thread",
                f"torch.compile(…, recompile_limit={count}), or set it in that thread",
                where,
                note,
            )
    if guard.cause.name == "backend":
        return "compiled-anew", guard.remedy, [line for line in (use, call) if line], ""
    if guard.cause.name in ("betas", "lr", "optimizer"):
        scheduler = _scheduler(frame)
        where = [line for line in (scheduler, call, use) if line]
        return "optimizer-number", _optimizer_remedy(guard, scheduler), where, ""
    uses = _shared(frame)
    if uses > 1 and guard.cause.name == "argument" and region and region.module is None:
        return rule, f"use torch.compile once, on a function that takes {guard.source} as an argument", lines, ""
    if uses > 1 and guard.cause.name in ("size", "parameter", "string", "attribute", "requires_grad"):
        own = [line for line in (use, call) if line] if guard.cause.name == "size" else lines
        return rule, _ISOLATE, own, f"{uses} uses of torch.compile share the versions of one function"
    if guard.cause.name == "size":
        return rule, *_size(frame, guard, use, last)
    if _is_in_a_library(frame, last):
        return rule, _LEAVE_IT_OUT, lines, ""
    return rule, guard.remedy, lines, ""


def _is_in_a_library(frame: _Frame, last: Compile) -> bool:
    """Return whether the reader's code calls the function, and a library's code is what depends on the value."""
    code = last.code
    own = frame.region is not None and frame.region.code == code
    called = bool(last.stack) and is_user_file(last.stack[0].file)
    return called and not own and is_not_torch(code.file) and not is_user_file(code.file)


_LEAVE_IT_OUT = (
    "this function is a library's, as Lightning's log: compile the module that computes, as in "
    "self.net = torch.compile(self.net), and call this function outside of it"
)


def _size(frame: _Frame, guard: FailedGuard, use: Location | None, last: Compile) -> tuple[str, list[Location], str]:
    """Return what to do about a size that changes, the lines, and a sentence that explains."""
    region = frame.region
    call = innermost(reversed(last.stack))
    where = [line for line in (use, call) if line]
    if region and region.dynamic is False:
        return "leave out dynamic=False: then one version serves all sizes", where, ""
    for item in frame.again:
        for source, stack in item.constants:
            line = innermost(stack)
            if line and readable(source) == f"{guard.source}.size()[{guard.index}]":
                note = "this line makes the size a constant"
                return "compute with the size instead of using it as an index or in a condition", [line, *where], note
    if _is_one_and_another(frame, guard):
        return _one_version(guard), where[::-1], "sizes 0 and 1 get versions of their own"
    if region is None:  # from torch's trace, which has no options of torch.compile
        return f"leave out dynamic=False, if it is there; else {guard.remedy}", where, ""
    if region.dynamic is None and last.stack and not is_user_file(last.stack[0].file):
        if region.stack and is_user_file(region.stack[0].file):
            return _DYNAMIC, where, "a library calls this function"
        return _from_outside(guard), where[::-1], "a library calls this function, and torch.compile"
    return guard.remedy, where[::-1], ""


#: A tensor that a library makes can't be marked. All sizes of a function are dynamic by this argument.
_DYNAMIC = "torch.compile(…, dynamic=True)"


def _from_outside(guard: FailedGuard) -> str:
    source = re.sub(r"^(\w+)", r"L['\1']", guard.raw)
    others = "after a comma, name each other input of this size"
    return f'`TORCH_COMPILE_DYNAMIC_SOURCES="{source}"` in the environment; {others}'


def _is_one_and_another(frame: _Frame, guard: FailedGuard) -> bool:
    """Return whether 0 or 1, and one other size, are all that this size ever was."""
    same = [each for item in frame.again if (each := most_telling(item.guards)).key == guard.key]
    values = {value for each in same for value in (each.old, each.new) if value}
    return len(values) == 2 and bool(values & {"0", "1"})


def _one_version(guard: FailedGuard) -> str:
    name = guard.source if guard.source.isidentifier() else "tensor"
    return (
        f"`torch._dynamo.decorators.mark_unbacked({name}, {guard.index})` before the first call; "
        "mark_dynamic and dynamic=True don't change that"
    )


def _shared(frame: _Frame) -> int:
    """Return how many uses of torch.compile share the versions of the function."""
    return len({item.region for item in frame.compiles if item.region is not None})


_ISOLATE = "compile the whole model instead of each block, or use torch.compile(…, isolate_recompiles=True)"


def _line_of(guard: FailedGuard, frame: _Frame) -> Location | None:
    """Return the user's line that reads what changed. torch's text has the end of its path."""
    if guard.path is None or guard.line is None:
        return None
    files = {frame.compiles[0].code.file} | {line.file for item in frame.compiles for line in item.stack}
    for file in sorted(files):
        if is_user_file(file) and file.endswith(guard.path):
            return location(file, guard.line)
    return None


_SCHEDULER = re.compile(r"(?:LR|Scheduler|Restarts|OnPlateau)$|^get_\w*schedule")


def _scheduler(frame: _Frame) -> Location | None:
    """Return the line of the user's files that makes a learning rate scheduler."""
    files = dict.fromkeys(line.file for item in frame.compiles for line in item.stack if is_user_file(line.file))
    for file in files:
        source = "".join(linecache.getlines(file))
        try:
            tree = parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if _SCHEDULER.search(name):
                    return location(file, node.lineno)
    return None


def _optimizer_remedy(guard: FailedGuard, scheduler: Location | None) -> str:
    if guard.source == "lr":
        return "give the optimizer its learning rate as a tensor: lr=torch.tensor(…)"
    if guard.source in ("betas", "momentum"):
        name = "OneCycleLR" if scheduler and "OneCycleLR" in scheduler.text else "the scheduler"
        return f"cycle_momentum=False keeps {name} from changing {guard.source}; or leave the optimizer uncompiled"
    return f"keep {guard.source} the same, or leave the optimizer uncompiled"
