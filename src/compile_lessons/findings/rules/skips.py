"""Functions that run in eager mode as a whole, because Dynamo skips them."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from compile_lessons.facts.run import Compile, Process, Run
from compile_lessons.facts.source import Location, innermost, is_user_file
from compile_lessons.findings.catalogue import Fix, explain_break, fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.placed_breaks import Place, places_of_breaks
from compile_lessons.findings.syntax import class_statement
from compile_lessons.ground.words import counted

#: torch 2.11 and 2.12 have words for a skip only where something could not be compiled.
_NO_WORDS = "gives no reason"
#: Reasons for which nothing in a frame is to be compiled, in torch's words: first that it has no operation on tensors.
_NO_OPERATIONS = ("no tensor-related objects", "No ops traced", _NO_WORDS)
_HARMLESS = (
    *_NO_OPERATIONS,
    "non-recursively disabled",
    "already started executing",
    "already Dynamo-generated",
    "__setattr__",
    "namedtuple",
    "torch.optim __init__",
)
#: An exception that leaves the function.
_RAISES = ("Observed exception",)
#: Functions that are named.
_NAMED = 3


def skipped_frames(run: Run) -> Iterator[Finding]:
    """Yield a finding for each cause and its line. The finding of a graph break tells what is skipped because of it.

    Of a program, functions of the user's count. Of a capture all do, but for those without an operation on tensors
    where there are graphs.
    """
    for process in run.processes:
        yield from (found for place, found in skips_of(process, run) if place is None)


def skips_of(process: Process, run: Run) -> Iterator[tuple[Place | None, Finding]]:
    """Yield each finding, with the place of the graph break that it follows from."""
    breaks = places_of_breaks(process, run)
    has_graph = any(item.operations for item in process.compiles)
    causes: dict[tuple[str, Location | None, Fix], list[Compile]] = defaultdict(list)
    for item in process.compiles:
        is_its_own = item.code == getattr(process.region(item.region), "code", None)
        if item.outcome != "skipped" or (item.generator and not is_its_own) or _raises(process, item):
            continue
        if not has_graph or not _has(item, _NO_OPERATIONS) if run.captured else is_fault(item):
            causes[_why(process, item)].append(item)
    for (cause, line, remedy), same in causes.items():
        place = (line.file, line.line) if line else None
        functions = list({item.code: item for item in same}.values())
        yield place if place in breaks else None, _finding(process, cause, line, remedy, functions)


def is_fault(item: Compile) -> bool:
    """Return whether a skipped frame is the user's, and has something to compile. The body of a class has nothing."""
    has_operations = item.generator or not _has(item, _HARMLESS)
    return is_user_file(item.code.file) and has_operations and not class_statement(item.code)


def _raises(process: Process, item: Compile) -> bool:
    """Return whether it is skipped because it raises the exception that ended the program."""
    ended = ((each.region, each.call, each.thread) for each in process.raised if each.ends == "program")
    return _has(item, _RAISES) and (item.region, item.call, item.thread) in ended


def _has(item: Compile, words: tuple[str, ...]) -> bool:
    return any(each in (item.reason or _NO_WORDS) for each in words)


def _finding(process: Process, cause: str, line: Location | None, remedy: Fix, same: list[Compile]) -> Finding:
    regions = [process.region(item.region) for item in same]
    own = [region for region, item in zip(regions, same, strict=True) if region and region.code == item.code]
    names = [process.name_of(item) for item in same]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    calls = sum(region.calls for region in own)
    return finding(
        remedy,
        f"{', '.join(names[:_NAMED])}{more} {'runs' if len(names) == 1 else 'run'} in eager mode as a whole"
        + (f": {counted(calls, 'call')}" if calls else ""),
        seconds=sum(region.seconds - region.compile_seconds for region in own) if own else None,
        where=(line, *(item.code for item in same)),
        evidence=(cause,),
    )


def _why(process: Process, item: Compile) -> tuple[str, Location | None, Fix]:
    """Return the cause, its line, and what to do."""
    if item.generator:
        return "it is a generator, and Dynamo compiles no function that yields", None, fix("skipped", "generator")
    reason = (item.reason or f"torch {_NO_WORDS}").partition("\n")[0]
    inside = next((found for found in process.breaks if found.compile == item.id and item.id), None)
    if inside is None:
        nothing = msgspec.structs.replace(fix("nothing-compiled", "no-operations"), rule="skipped")
        return reason, None, nothing if _has(item, _NO_OPERATIONS) else fix("skipped")
    known, remedy = explain_break(inside.gb_id, inside.explanation), fix("skipped", "break")
    if known and known.remedy and "torch.compiler.disable" not in known.remedy:  # a call of which breaks, too
        remedy = known.fix("skipped")
    line = innermost((*inside.callers, *inside.stack))
    if _has(item, _RAISES):
        return "in a call of it, this line raised an exception", line, fix("skipped", "raises")
    return f"a graph break where Dynamo can't split the function, as in a loop, `with` or `try`: {reason}", line, remedy
