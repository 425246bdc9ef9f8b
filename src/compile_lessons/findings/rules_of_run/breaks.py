"""Graph breaks in the user's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from compile_lessons.facts.places import TORCH_OPTIM, innermost, is_not_torch, is_user_file
from compile_lessons.facts.run import GraphBreak, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import STOCK_HINTS, explain_break
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import counted, file_line, shorten


def graph_breaks(run: Run) -> Iterator[Finding]:
    """Yield a finding for each cause, with all of its lines."""
    causes: dict[tuple[str | None, str], list[tuple[GraphBreak, Location]]] = defaultdict(list)
    for process in run.processes:
        skipped = {item.id for item in process.compiles if item.outcome in ("skipped", "failed")}  # other rules say so
        for found in process.breaks:
            line = innermost(frame for frame in found.inside if is_not_torch(frame.file))
            if line is None or found.compile in skipped or _is_harmless(found):
                continue
            causes[found.gb_id, found.cause].append((found, line))
    for (gb_id, cause), same in causes.items():
        yield _finding(gb_id, cause, same)


def _is_harmless(found: GraphBreak) -> bool:
    if found.gb_id == "GB0025":  # the program, or torch's optimizer, asks for it
        return True
    # Breaks that torch's own optimizers and schedulers make around ``step`` cost nothing worth a change.
    return "function marked as skipped" in found.cause and bool(TORCH_OPTIM.search(found.explanation))


def _remedy_in_a_library(found: GraphBreak) -> str:
    """Return what to do about a break in a library's code, which the reader doesn't edit; nothing for the reader's."""
    frames = [frame for frame in found.inside if is_not_torch(frame.file)]
    if not frames or is_user_file(frames[-1].file):
        return ""
    if "torch.compiler.disable" in found.cause:  # as Lightning's ``log``
        return "a library asks for this break: compile what is around this call, not the call itself"
    if any(is_user_file(frame.file) for frame in frames):
        return ""
    return "this line is a library's: look for a setting of it that avoids the call, or report the break there"


def _inside(found: GraphBreak, line: Location) -> str:
    """Say where a break is, if it is in a function that the reader's line calls, of a library or of torch."""
    inner = found.inside[-1] if found.inside else line
    return "" if inner.file == line.file else f"in {file_line(inner.file, inner.line)}, which this line calls"


def _finding(gb_id: str | None, cause: str, same: list[tuple[GraphBreak, Location]]) -> Finding:
    lines = tuple(dict.fromkeys(line for _, line in same))
    first = same[0][0]
    places = f" in {counted(len(lines), 'line')}" if len(lines) > 1 else ""
    hint = next((hint for hint in first.hints if not hint.startswith(STOCK_HINTS)), "")
    entry = explain_break(gb_id)
    if of_library := _remedy_in_a_library(first):
        hint, entry = of_library, None
    known = entry if entry and entry.remedy else None
    return Finding(
        rule="graph-break",
        severity="fault",
        what=f"the graph breaks{places}: {shorten(cause, 70)}",
        where=lines,
        evidence=tuple(filter(None, (shorten(first.explanation, 160), _inside(first, same[0][1])))),
        remedy=known.words if known else hint or "move this line out of the compiled function",
        lesson=known.lesson if known else "dynamo/fixing-breaks",
    )
