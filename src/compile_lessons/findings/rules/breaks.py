"""Graph breaks by cause, or by the user's call into a library; those that separate the most tensor work first."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from compile_lessons.facts.run import GraphBreak, Run
from compile_lessons.facts.source import is_user_file
from compile_lessons.findings.catalogue import Fix, catalogue, explain_break, fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.placed_breaks import Place, PlacedBreak, placed_breaks
from compile_lessons.findings.rules.recompiles import recompiles_of
from compile_lessons.findings.rules.skips import skips_of
from compile_lessons.findings.syntax import class_statement
from compile_lessons.ground.words import counted, file_line, shorten

#: At least this many lines that break outside of all tensor work are the setup of a script, not a slip in a step.
_SETUP = 3
#: Causes that are named of the breaks in one call of a library, and hints of torch's that are quoted.
_MOST_CAUSES, _MOST_HINTS = 3, 2


def graph_breaks(run: Run) -> Iterator[Finding]:
    """Yield a finding for each cause, and one for each line of the user's that calls a library which breaks."""
    groups: dict[object, list[PlacedBreak]] = defaultdict(list)
    following: dict[Place, list[Finding]] = defaultdict(list)
    for process in run.processes:
        for item in placed_breaks(process, run):
            groups[_cause(item)].append(item)
        for place, found in (*skips_of(process, run), *recompiles_of(process, run)):
            if place is not None:
                following[place].append(found)
    for same in sorted(groups.values(), key=lambda same: -max(item.work for item in same)):
        yield _in_library(same) if same[0].library else _of_cause(same, following)


def _cause(item: PlacedBreak) -> object:
    """Return what breaks with one cause have in common. The decorators of a class break with the class."""
    found = item.graph_break
    if item.library:
        return item.library, item.line
    if item.line and (statement := class_statement(item.line)):
        return item.line.file, statement.lineno
    known = explain_break(found.gb_id, found.explanation)
    return found.gb_type, known if known and known.remedy else found.hints


def outside_of_the_step(run: Run) -> Iterator[Finding]:
    """Yield advice if many breaks of what was captured are before or after all tensor work, as in a script's setup."""
    placed = [item for process in run.processes for item in placed_breaks(process, run)]
    outside = {(item.line.file, item.line.line): item.line for item in placed if item.line and not item.work}
    if run.captured and len(outside) >= _SETUP:
        what = f"{counted(len(outside), 'line')} with a graph break separate no operations on tensors"
        yield finding(fix("setup-explained"), what, advice=True, where=(outside[key] for key in sorted(outside)))


def _of_cause(same: Sequence[PlacedBreak], following: Mapping[Place, list[Finding]]) -> Finding:
    """Return the finding of all breaks with one cause, with what is skipped or compiled again for them."""
    first = same[0].graph_break
    lines = dict.fromkeys(item.line for item in same)
    frames = dict.fromkeys((frame.file, frame.line) for item in same for frame in item.frames)
    follows = [found for place in frames for found in following.get(place, ())]
    places = f", in {counted(len(lines), 'line')}" if len(lines) > 1 else ""
    places += f", {counted(len(same), 'time')}" if len(same) > len(lines) else ""
    return finding(
        _fix(same[0]),
        f"break: {_name(first)}{places}",
        seconds=sum(found.seconds or 0 for found in follows) or None,
        where=lines,
        evidence=(
            shorten(first.explanation, 160),
            *[*dict.fromkeys(map(_inside, same))][:_MOST_CAUSES],
            *(f"as a result, {found.what}" for found in follows),
        ),
    )


def _in_library(same: Sequence[PlacedBreak]) -> Finding:
    """Return the finding of all breaks that one call of a library led to."""
    causes = Counter(_name(item.graph_break) for item in same)
    lines = {_name(item.graph_break): item.frames[-1] for item in same}
    evidence = [
        f"{name}, {file_line(lines[name].file, lines[name].line)}" + (f", {number} times" if number > 1 else "")
        for name, number in causes.most_common(_MOST_CAUSES)
    ]
    if len(causes) > _MOST_CAUSES:
        evidence.append(f"… {counted(len(causes) - _MOST_CAUSES, 'more cause')}: --only breaks")
    is_called = any(is_user_file(frame.file) for frame in same[0].frames)  # else the library's model is compiled
    cause = "call-of-a-library" if is_called else "part-of-a-library"
    return finding(
        _fix(same[0]) if same[0].computes else fix("graph-break", cause, library=same[0].library),
        f"break: {counted(len(same), 'graph break')} inside {same[0].library}, from one call",
        where=(same[0].line,),
        evidence=evidence,
    )


def _fix(item: PlacedBreak) -> Fix:
    """Return the catalogue's remedy, else torch's hints. The user doesn't edit a line of a library."""
    found = item.graph_break
    if item.frames and not is_user_file(item.frames[-1].file):
        if item.is_asked_for:  # as Lightning's ``log``
            return fix("graph-break", "asked-for")
        if not any(is_user_file(frame.file) for frame in item.frames):
            return fix("graph-break", "library")
    if item.line and class_statement(item.line):
        return fix("graph-break", "class")
    known = explain_break(found.gb_id, found.explanation)
    general = fix("graph-break", "library" if item.library else "any")
    hints = [hint for hint in found.hints if not hint.startswith(catalogue().stock_hints)][:_MOST_HINTS]
    remedy = known.words if known and known.remedy else " ".join(hints)
    return Fix(rule=general.rule, remedy=remedy or general.remedy, lesson=known.lesson if known else general.lesson)


def _inside(item: PlacedBreak) -> str:
    """Say where a break is, if it is in a function that the user's line calls, of a library or of torch."""
    stack = item.graph_break.stack
    if not stack or item.line is None or stack[-1].file == item.line.file:
        return ""
    return f"in {file_line(stack[-1].file, stack[-1].line)}, which this line calls"


def _name(found: GraphBreak) -> str:
    return f"{shorten(found.gb_type, 70)} ({found.gb_id})" if found.gb_id else shorten(found.gb_type, 70)
