"""A report as one HTML file, by the template ``report.html``, which calls the functions below.

The file has no script of its own. A function's versions open in an explorer, in a frame whose text is in the file, too.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup, escape

from compile_lessons.explorer.document import asset, document, filled, fonts
from compile_lessons.explorer.page import page_of, script, style
from compile_lessons.explorer.sheet import sheet
from compile_lessons.explorer.strip import Row, compile_ids
from compile_lessons.findings.catalogue import catalogue
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.site import address
from compile_lessons.ground.words import counted, file_line, rough_duration
from compile_lessons.reports import text
from compile_lessons.reports.findings import places_of
from compile_lessons.reports.report import PARTS, CompiledFunction, ProcessReport, Report
from compile_lessons.trace.versions import NOT_RECORDED

#: Processes that have a timeline.
_TIMELINES = 16
#: Where torch explains each kind of graph break.
_GRAPH_BREAKS = "https://meta-pytorch.github.io/compile-graph-break-site/gb/"
_OUTCOMES = {"skipped": "skipped", "limit": "limit reached", "failed": "failed"}


def report_html(report: Report) -> str:
    """Return the report as an HTML file."""
    program = next((part for part in report.command if part.endswith(".py")), " ".join(report.command) or "A trace")
    main = [report.main] if report.main else []
    users = [process for process in report.processes if process.compiled]
    opened = sum(len(function.opened) for function in report.functions)
    body = filled(
        _beside("report.html"),
        **{function.__name__: function for function in _FUNCTIONS},
        text=text,
        title=Path(program).name,
        report=report,
        roles=_roles(report),
        users=users,
        timelines=[*main, *(process for process in users if not process.main)][:_TIMELINES],
        parts=PARTS,
        opened=opened,
        with_graph=sum(version.has_graph for function in report.functions for version in function.versions),
        outcomes=_OUTCOMES,
    )
    own = fonts() + asset("palette.css") + asset("base.css") + _beside("report.css")
    return document(f"{Path(program).name}: diagnosis", own, body, framed=(style(), script()) if opened else None)


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def words(text: str) -> Markup:
    """Return text as HTML, with code between backticks as code, and ids of graph breaks as links."""
    html = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"\bGB\d{4}\b", lambda id: f'<a href="{_GRAPH_BREAKS}{id[0].lower()}.html">{id[0]}</a>', html))


def _roles(report: Report) -> dict[tuple[str, int], str]:
    """Return what lines of the program do, by their places. One that also uses torch.compile is named for that."""
    versions = [version for function in report.functions for version in function.versions]
    calls, uses = [version.compile.call_line for version in versions], [version.use for version in versions]
    named = {(line.file, line.line): "called here" for line in calls if line}
    return named | {(line.file, line.line): "compiled here" for line in uses if line}


def lesson_title(lesson: str) -> str:
    """Return what the page of a lesson is called."""
    return catalogue().titles[lesson.partition("#")[0]]


def about(function: CompiledFunction) -> str:
    """Return how many versions a function has, what else became of it, and how long the program waited for it."""
    outcomes = [version.compile.outcome for version in function.versions]
    compiled = outcomes.count("compiled")
    parts = [counted(compiled, "version")] if compiled else []
    parts += dict.fromkeys(_OUTCOMES[outcome] for outcome in outcomes if outcome in _OUTCOMES)
    parts += [counted(function.breaks, "graph break")] if function.breaks else []
    return f"{', '.join(parts)}; {rough_duration(function.seconds)}"


def explorer(function: CompiledFunction, findings: Sequence[Finding]) -> str:
    """Return the explorer of the versions of a function, with the findings in the files that they show."""
    sheets = {}
    for version in function.versions:
        if version.pipeline is None:
            continue
        files = {line.file for line in version.pipeline.lines.lines}
        own = [found for found in findings if any(line.file in files for line in found.where[:1])]
        torch = version.pipeline.torch_version
        numbers = version.numbers | {"compiled by": f"torch {torch}" if torch else "unknown"}
        numbers |= {"not recorded": ", ".join(NOT_RECORDED)}
        rows = (compile_ids([f"{version.compile.id} {version.compile.name}"]), *map(Row, numbers, numbers.values()))
        sheets[f"version {version.compile.id}"] = sheet(version.pipeline, findings=own, rows=rows)
    return page_of(sheets)


def path(process: ProcessReport, part: int) -> str:
    """Draw one of ``PARTS`` of all pieces, each of width 1; what a piece has of the parts before it is below it."""
    steps = []
    for number, piece in enumerate(process.timeline):
        share = piece.shares[part]
        if share > 0.004:
            top = 40 * (1 - sum(piece.shares[: part + 1]))
            steps.append(f"M{number} {top:.4g}h1v{40 * share:.4g}h-1z")
    return "".join(steps)


def marks(starts: Sequence[float], begin: float, length: float, stroke: str) -> str:
    """Draw a mark where calls begin, on a scale of 1000 for the run."""
    return "".join(f"M{at} 44{stroke}" for at in sorted({round(1000 * (at - begin) / length) for at in starts}))


#: What the template calls.
_FUNCTIONS = (
    *(words, lesson_title, about, explorer, path, marks),
    *(places_of, file_line, rough_duration, address),
)
