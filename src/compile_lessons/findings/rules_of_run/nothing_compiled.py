"""Programs in which nothing is compiled, or a whole function runs in eager mode."""

from __future__ import annotations

from collections.abc import Iterator

from compile_lessons.facts.places import innermost, is_not_torch, is_user_file
from compile_lessons.facts.run import Compile, Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.words import counted

#: Reasons for which nothing in a frame is to be compiled, in torch's words.
_HARMLESS = (
    "no tensor-related objects",
    "No ops traced",
    "non-recursively disabled",
    "already started executing",
    "already Dynamo-generated",
    "__setattr__",
    "namedtuple",
    "torch.optim __init__",
)

_CALL_IT = "call what torch.compile returns, not the original"
_OTHER_METHODS = (
    ". Other methods, such as generate, run as the original's: "
    "use model.compile() if they call self(…), else write @torch.compile above the method"
)
_METHODS = "production/placement#a-method-that-isnt-forward"


def nothing_compiled(run: Run) -> Iterator[Finding]:
    """torch.compile was used, and no region ran, in any process."""
    if not run.collected and not run.processes:
        yield _empty_trace()
        return
    if run.status and not run.stopped:  # the program may have failed before it came to the call
        return
    regions = [region for process in run.processes for region in process.regions if _use(region)]
    if not regions or any(region.calls for process in run.processes for region in process.regions):
        return
    if any(item.outcome in ("compiled", "failed") for process in run.processes for item in process.compiles):
        return
    disabled = [region for region in regions if region.disabled]
    unused = [region for region in regions if not region.disabled]
    if unused:
        names = ", ".join(dict.fromkeys(region.name for region in unused))
        yield Finding(
            rule="nothing-compiled",
            severity="fault",
            what=f"torch.compile was used {counted(len(unused), 'time')}, for {names}, and what it returned never ran",
            where=_uses(unused),
            evidence=("no compiled function was called: the program runs in eager mode",),
            remedy=_CALL_IT + (_OTHER_METHODS if any(region.module for region in unused) else ""),
            lesson=_METHODS if any(region.module for region in unused) else "production/placement",
        )
    elif disabled:
        yield Finding(
            rule="disabled",
            severity="fault",
            what=f"torch.compile is turned off: {counted(len(disabled), 'use')} of it, nothing was compiled",
            where=_uses(disabled),
            evidence=("disable=True, or TORCHDYNAMO_DISABLE or TORCH_COMPILE_DISABLE is 1 in the environment",),
            remedy="leave out disable=True, and unset the variable",
            lesson="reference/environment",
        )


def _empty_trace() -> Finding:
    return Finding(
        rule="nothing-compiled",
        severity="fault",
        what="the folder has no trace: torch writes a file when the first function is compiled",
        evidence=("nothing was compiled, or TORCH_TRACE was not set when the program imported torch",),
        remedy="run the program by compile-lessons diagnose, which also sees uses of torch.compile that never run",
        lesson="production/placement",
    )


def _use(region: Region) -> Location | None:
    """Return the line that uses torch.compile, if it is the user's."""
    line = region.stack[0] if region.stack else None
    return line if line and is_user_file(line.file) else None


def _uses(regions: list[Region]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(line for region in regions if (line := _use(region))))


_WITHOUT_OPERATIONS = "compile the function or module that has the operations on tensors"
_TURNED_OFF = 'take out torch.compiler.set_stance("force_eager") or @torch.compiler.disable'


def torch_module_in_place(run: Run) -> Iterator[Finding]:
    """``nn.Sequential(…).compile()``: Dynamo skips the forward of torch's own modules when they compile in place."""
    for process in run.processes:
        for region in process.regions:
            line = _use(region)
            if not (_is_skipped_in_place(process, region) and region.calls and line):
                continue
            count = len({item.frame for item in _compiled(process) if item.region == region.id})
            yield Finding(
                rule="torch-module-in-place",
                severity="fault",
                what=f"{region.module}.compile() compiled {f'{count} of the functions in it' if count else 'nothing'}",
                seconds=None if count else region.seconds - region.compile_seconds,
                where=(line,),
                evidence=(f"Dynamo skips {region.module}.forward, which is torch's, when it is compiled in place",),
                remedy="model = torch.compile(model)",
                lesson="production/placement",
            )


def _is_skipped_in_place(process: Process, region: Region) -> bool:
    own = region.code is not None and not is_not_torch(region.code.file)
    return region.in_place and own and all(item.code != region.code for item in _compiled(process))


def _compiled(process: Process) -> list[Compile]:
    return [item for item in process.compiles if item.outcome == "compiled"]


def regions_in_eager_mode(run: Run) -> Iterator[Finding]:
    """A compiled function was called, and nothing in it was compiled; no other rule says why."""
    for process in run.processes:
        explained = {item.region for item in process.compiles if item.outcome == "skipped" and _is_fault(item)}
        ran = {process.region(item.region) for item in process.compiles if item.outcome == "failed" or _has_code(item)}
        codes = {region.code for region in ran if region}  # another use of the same function has its versions
        for region in process.regions:
            line = _use(region)
            if not region.calls or line is None or region.code in codes or region.id in explained:
                continue
            if _is_skipped_in_place(process, region):
                continue
            reasons = [item.reason for item in process.compiles if item.region == region.id and item.reason]
            if empty := [item for item in _compiled(process) if item.region == region.id]:
                if not _breaks_in_the_users_code(process, empty):  # which is the cause, and has a finding
                    yield _without_operations(process, region, line, empty)
                continue
            yield Finding(
                rule="nothing-compiled",
                severity="fault",
                what=f"{region.name} was called {counted(region.calls, 'time')}, and nothing in it was compiled",
                seconds=region.seconds,
                where=(line,),
                evidence=tuple(dict.fromkeys(reasons))[:2] or ("Dynamo was not asked about any function in it",),
                remedy=_WITHOUT_OPERATIONS if reasons else _TURNED_OFF,
                lesson="production/placement",
            )


def _has_code(item: Compile) -> bool:
    return item.outcome == "compiled" and item.operations != 0


def _breaks_in_the_users_code(process: Process, compiles: list[Compile]) -> bool:
    ids = {item.id for item in compiles}
    stacks = [found.inside for found in process.breaks if found.compile in ids]
    return any(is_user_file(frame.file) for stack in stacks for frame in stack)


def _without_operations(process: Process, region: Region, line: Location, empty: list[Compile]) -> Finding:
    """Return the finding for a use of torch.compile whose compiled code has no operation on tensors."""
    ids = {item.id for item in empty}
    causes = dict.fromkeys(found.cause for found in process.breaks if found.compile in ids)
    wrapped = region.module == "DistributedDataParallel"
    return Finding(
        rule="nothing-compiled",
        severity="fault",
        what=f"{region.name} was called {counted(region.calls, 'time')}, and no operation in it was compiled",
        seconds=region.seconds - region.compile_seconds,
        where=(line,),
        evidence=(f"{counted(len(empty), 'compile')}, each without an operation on tensors", *causes)[:2],
        remedy="compile the module, then wrap it: DistributedDataParallel(torch.compile(net))"
        if wrapped
        else _WITHOUT_OPERATIONS,
        lesson="production/distributed#no-graph" if wrapped else "production/placement",
    )


def skipped_frames(run: Run) -> Iterator[Finding]:
    """Functions of the user's that run in eager mode as a whole."""
    for process in run.processes:
        seen = set()
        for item in process.compiles:
            region = process.region(item.region)
            own = region is not None and region.code == item.code
            if item.outcome != "skipped" or item.code in seen or not _is_fault(item) or (item.generator and not own):
                continue
            seen.add(item.code)
            yield _skipped(process, item)


def _is_fault(item: Compile) -> bool:
    return is_user_file(item.code.file) and not any(words in (item.reason or "") for words in _HARMLESS)


def _skipped(process: Process, item: Compile) -> Finding:
    region = process.region(item.region)
    name = function_name(item, region)
    own = region is not None and region.code == item.code
    calls = f": {counted(region.calls, 'call')}" if region and own and region.calls else ""
    seconds = region.seconds - region.compile_seconds if region and own else None
    cause, line, remedy = _why(process, item)
    return Finding(
        rule="skipped",
        severity="fault",
        what=f"{name} runs in eager mode as a whole{calls}",
        seconds=seconds,
        where=tuple(place for place in (line, item.code) if place),
        evidence=(cause,),
        remedy=remedy,
        lesson="dynamo/first-graph-break",
    )


_WITHOUT_IT = (
    "compile the functions that this one calls, or move what the reason names into a function with "
    "@torch.compiler.disable"
)


def _why(process: Process, item: Compile) -> tuple[str, Location | None, str]:
    """Return the cause, its line, and what to do."""
    if item.generator:
        return "it is a generator, and Dynamo compiles no function that yields", None, "return a list or a tensor"
    reason = (item.reason or "torch gives no reason").partition("\n")[0]
    inside = next((found for found in process.breaks if found.compile == item.id), None)
    if inside is None:
        return reason, None, _WITHOUT_IT
    line = innermost(inside.inside or inside.stack)
    return (
        f"a graph break inside a loop, `with` or `try`, where Dynamo can't split the function: {reason}",
        line,
        "move this line out of the block, or compile what is in the block as a function of its own",
    )


#: A model with a smaller share of the time is not worth a compile: that can save no more than its share.
_WORTH_IT = 0.2


def no_torch_compile(run: Run) -> Iterator[Finding]:
    """Advice for a program that uses torch and not torch.compile."""
    if not run.collected or any(process.regions or process.compiles for process in run.processes):
        return
    modules = [(*pair, process.backward) for process in run.processes for pair in process.modules]
    if not run.processes or (run.status and not modules):  # it failed before it ran a model
        return
    line, forward, backward = max(modules, key=lambda item: item[1] + item[2], default=(None, 0.0, 0.0))
    takes_much = line is None or forward + backward >= _WORTH_IT
    yield Finding(
        rule="no-torch-compile",
        severity="advice",
        what="the program uses torch and not torch.compile"
        + ("" if takes_much else ", and little of its time is in a model"),
        where=(line,) if line else (),
        evidence=(_share_in_words(forward, backward),) if line else (),
        remedy=_COMPILE_IT if takes_much else _LOOK_ELSEWHERE,
        lesson="production/placement",
    )


_COMPILE_IT = "compile this model first: model.compile(), after it is on its device and before the loop"
_LOOK_ELSEWHERE = (
    "find out what the rest of the time is, such as data or the optimizer, before you compile: "
    "compiling this model can save no more than these shares"
)


def _share_in_words(forward: float, backward: float) -> str:
    module = f"the module that this line calls takes {forward:.0%} of the time"
    return f"{module}, and backward passes {backward:.0%}" if backward else module
