"""Lines that are in one graph many times, because Dynamo unrolls loops and inlines calls."""

from __future__ import annotations

import ast
import linecache
import math
from collections import Counter
from collections.abc import Iterator, Sequence

from compile_lessons.facts import Frame, Graph, Location, Pipeline
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.reading import parse
from compile_lessons.ground.words import file_line

#: Fewer copies, or fewer operations in all of them together, compile fast enough.
_LEAST_COPIES, _LEAST_OPERATIONS = 8, 64
#: The copies are worth a change if they are at least this share of the graph.
_SHARE = 0.5

_Line = tuple[str, int]


def unrolled_loops(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield advice for the lines that are most often in each frame's graph."""
    seen = set()
    for frame in pipeline.frames:
        if frame.graph is None:
            continue
        finding = _of_graph(frame, frame.graph.dynamo)
        if finding and finding.where not in seen:
            seen.add(finding.where)
            yield finding


def _of_graph(frame: Frame, graph: Graph) -> Finding | None:
    lines, operations = _lines(graph)
    copies = {line: math.gcd(*targets.values()) for line, targets in operations.items()}
    repeated = {line for line, number in copies.items() if number >= _LEAST_COPIES}
    if not repeated:
        return None
    # The function with the most repeated operations, and in it the lines that are there equally often.
    sizes = Counter[tuple[str, str, int]]()
    for line in repeated:
        sizes[line[0], lines[line].function, copies[line]] += sum(operations[line].values())
    (file, function, number), size = sizes.most_common(1)[0]
    if size < _LEAST_OPERATIONS or size < _SHARE * len(graph.calls):
        return None
    body = sorted(
        (lines[line] for line in repeated if (line[0], lines[line].function, copies[line]) == (file, function, number)),
        key=lambda place: place.line,
    )
    loop = loop_around(body)
    first, last = body[0].line, body[-1].line
    where = f"lines {first} to {last} are" if first != last else f"line {first} is"
    what = f"{file_line(file, first)}: {where} in one graph {number} times"
    if loop is not None:
        what = f"the loop in {file_line(file, loop.line)} is unrolled {number} times"
    return Finding(
        rule="unrolled-loop",
        severity="advice",
        what=what,
        seconds=None,
        where=(loop or body[0],),
        evidence=(f"{where} {size} of the graph's {len(graph.calls)} operations, compiled for {frame.seconds:.1f} s",),
        remedy="compile what repeats once: one step of the loop, or each block, and keep the loop in Python",
        lesson="fix/first-call",
    )


def _lines(graph: Graph) -> tuple[dict[_Line, Location], dict[_Line, Counter[str]]]:
    """Return the lines of the graph, and how often each operation comes from each line."""
    lines: dict[_Line, Location] = {}
    operations: dict[_Line, Counter[str]] = {}
    for node in graph.calls:
        if node.location is not None:
            line = node.location.file, node.location.line
            lines.setdefault(line, node.location)
            operations.setdefault(line, Counter())[node.target] += 1
    return lines, operations


def loop_around(body: Sequence[Location]) -> Location | None:
    """Return the innermost loop of the source around all lines; ``None`` without one, or if the source has changed."""
    file = body[0].file
    source = linecache.getlines(file)
    if any(linecache.getline(file, place.line).strip() != place.text for place in body):
        return None
    try:
        tree = parse("".join(source))
    except SyntaxError:
        return None
    loops = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.For | ast.While)
        and all(node.lineno <= place.line <= (node.end_lineno or 0) for place in body)
    ]
    if not loops:
        return None
    line = max(loop.lineno for loop in loops)
    return Location(file=file, line=line, function=body[0].function, text=linecache.getline(file, line).strip())
