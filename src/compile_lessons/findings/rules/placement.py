"""Programs in which nothing is compiled, or torch.compile is not where the work is."""

from collections.abc import Iterator

from compile_lessons.facts.run import Compile, Process, Region, Run
from compile_lessons.facts.source import Location, is_not_torch, is_user_file
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.rules.skips import is_fault
from compile_lessons.ground.words import counted

#: A model with a smaller share of the time is not worth a compile: that can save no more than its share.
_WORTH_IT = 0.2


def nothing_compiled(run: Run) -> Iterator[Finding]:
    """torch.compile was used, and no region ran, in any process."""
    if not run.collected and not run.processes:
        yield finding(
            fix("nothing-compiled", "no-trace"),
            "the folder has no trace: torch writes a file when the first function is compiled",
            evidence=("nothing was compiled, or TORCH_TRACE was not set when the program imported torch",),
        )
        return
    if run.status and not run.stopped:  # the program may have failed before it came to the call
        return
    regions = [region for process in run.processes for region in process.regions if _use(region)]
    if not regions or any(region.calls for process in run.processes for region in process.regions):
        return
    if any(item.outcome in ("compiled", "failed") for process in run.processes for item in process.compiles):
        return
    if unused := [region for region in regions if not region.disabled]:
        names = ", ".join(dict.fromkeys(region.name for region in unused))
        yield finding(
            fix("nothing-compiled", "module" if any(region.module for region in unused) else "function"),
            f"torch.compile was used {counted(len(unused), 'time')}, for {names}, and what it returned never ran",
            where=map(_use, unused),
            evidence=("no compiled function was called: the program runs in eager mode",),
        )
    else:
        yield finding(
            fix("disabled"),
            f"torch.compile is turned off: {counted(len(regions), 'use')} of it, nothing was compiled",
            where=map(_use, regions),
            evidence=("disable=True, or TORCHDYNAMO_DISABLE or TORCH_COMPILE_DISABLE is 1 in the environment",),
        )


def _use(region: Region) -> Location | None:
    """Return the line that uses torch.compile, if it is the user's."""
    line = region.stack[0] if region.stack else None
    return line if line and is_user_file(line.file) else None


def torch_module_in_place(run: Run) -> Iterator[Finding]:
    """``nn.Sequential(…).compile()``: Dynamo skips the forward of torch's own modules when they compile in place."""
    for process in run.processes:
        for region in process.regions:
            line = _use(region)
            if not (_is_skipped_in_place(process, region) and region.calls and line):
                continue
            count = len({item.frame for item in _compiled(process, region)})
            yield finding(
                fix("torch-module-in-place"),
                f"{region.module}.compile() compiled {f'{count} of the functions in it' if count else 'nothing'}",
                seconds=None if count else region.seconds - region.compile_seconds,
                where=(line,),
                evidence=(f"Dynamo skips {region.module}.forward, which is torch's, when it is compiled in place",),
            )


def _is_skipped_in_place(process: Process, region: Region) -> bool:
    own = region.code is not None and not is_not_torch(region.code.file)
    compiled = any(item.code == region.code and item.outcome == "compiled" for item in process.compiles)
    return region.in_place and own and not compiled


def _compiled(process: Process, region: Region) -> list[Compile]:
    return [item for item in process.compiles if item.region == region.id and item.outcome == "compiled"]


def regions_in_eager_mode(run: Run) -> Iterator[Finding]:
    """A compiled function was called, and nothing in it was compiled; no other rule says why."""
    for process in run.processes:
        explained = {item.region for item in process.compiles if item.outcome == "skipped" and is_fault(item)}
        has_code = [item for item in process.compiles if item.outcome == "compiled" and item.operations != 0]
        ran = [process.region(item.region) for item in process.compiles if item.outcome == "failed" or item in has_code]
        codes = {region.code for region in ran if region}  # another use of the same function has its versions
        for region in process.regions:
            line = _use(region)
            is_explained = region.code in codes or region.id in explained or _is_skipped_in_place(process, region)
            if region.calls and line and not is_explained:
                yield from _in_eager_mode(process, region, line)


def _in_eager_mode(process: Process, region: Region, line: Location) -> Iterator[Finding]:
    called = f"{region.name} was called {counted(region.calls, 'time')}"
    if empty := _compiled(process, region):
        ids = {item.id for item in empty}
        breaks = [found for found in process.breaks if found.compile in ids]
        if any(is_user_file(frame.file) for found in breaks for frame in found.stack):
            return  # the break is the cause, and has a finding
        causes = dict.fromkeys(found.gb_type for found in breaks)
        yield finding(
            fix("nothing-compiled", "ddp" if region.module == "DistributedDataParallel" else "no-operations"),
            f"{called}, and no operation in it was compiled",
            seconds=region.seconds - region.compile_seconds,
            where=(line,),
            evidence=(f"{counted(len(empty), 'compile')}, each without an operation on tensors", *causes)[:2],
        )
        return
    reasons = dict.fromkeys(item.reason for item in process.compiles if item.region == region.id and item.reason)
    yield finding(
        fix("nothing-compiled", "no-operations" if reasons else "turned-off"),
        f"{called}, and nothing in it was compiled",
        seconds=region.seconds,
        where=(line,),
        evidence=list(reasons)[:2] or ("Dynamo was not asked about any function in it",),
    )


def no_torch_compile(run: Run) -> Iterator[Finding]:
    """Yield advice for a program that runs a module and does not use torch.compile."""
    if not run.collected or any(process.regions or process.compiles or process.exports for process in run.processes):
        return
    modules = [(*pair, process.backward) for process in run.processes for pair in process.modules]
    if not modules:
        return
    line, forward, backward = max(modules, key=lambda item: item[1] + item[2])
    shares = f"the module that this line calls takes {forward:.0%} of the time"
    takes_much = forward + backward >= _WORTH_IT
    yield finding(
        fix("no-torch-compile", "any" if takes_much else "little"),
        "the program uses torch and not torch.compile"
        + ("" if takes_much else ", and little of its time is in a model"),
        advice=True,
        where=(line,),
        evidence=(shares + (f", and backward passes {backward:.0%}" if backward else ""),),
    )
