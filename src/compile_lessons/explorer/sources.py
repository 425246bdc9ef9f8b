"""The user's source around the lines that the facts name: the functions that they are in, and nothing else."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from compile_lessons.facts import Location, Pipeline
from compile_lessons.facts.source import source_lines
from compile_lessons.ground.reading import parse


def user_lines(pipeline: Pipeline) -> dict[str, dict[int, str]]:
    """Return the lines to show of each file, by number: first the files of the functions that were compiled.

    The facts have the text of the lines that they name. If the file can't be read, or has changed since, these are all.
    """
    compiled = {frame.file for frame in pipeline.frames}
    known = sorted(_known(pipeline).items(), key=lambda item: item[0] not in compiled)
    return {file: _around(lines, source_lines(file)) for file, lines in known}


def _known(pipeline: Pipeline) -> dict[str, dict[int, str]]:
    files: dict[str, dict[int, str]] = defaultdict(dict)
    for line in pipeline.lines.lines:
        files[line.file].setdefault(line.line, line.text)
    for location in _locations(pipeline):
        if location.text or location.line in files[location.file]:
            files[location.file].setdefault(location.line, location.text)
    return {file: dict(sorted(lines.items())) for file, lines in files.items() if lines}


def _locations(pipeline: Pipeline) -> Iterator[Location]:
    for frame in pipeline.frames:
        yield from (guard.location for guard in frame.guards if guard.location is not None)
        yield from (location for graph_break in frame.breaks for location in graph_break.stack)


def _around(known: dict[int, str], file: list[str]) -> dict[int, str]:
    """Return all lines of the functions that hold known lines."""
    lines = {number: line.rstrip("\n") for number, line in enumerate(file, 1)}
    if any(lines.get(number, "").strip() != text for number, text in known.items() if text):
        return known
    try:
        tree = parse("".join(file))
    except SyntaxError:
        return {number: lines.get(number, text) for number, text in known.items()}
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    shown = set(known)
    for number in known:
        spans = [
            range(min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]), node.end_lineno + 1)
            for node in functions
            if node.end_lineno is not None and node.lineno <= number <= node.end_lineno
        ]
        smallest = min(spans, key=lambda span: span.stop - span.start, default=range(0))
        shown.update(smallest)
    return {number: lines.get(number, known.get(number, "")) for number in sorted(shown)}
