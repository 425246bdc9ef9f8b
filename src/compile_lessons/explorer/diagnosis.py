"""The report of ``diagnose`` as one HTML file: findings, a timeline, and what was compiled, folded below.

It has no script of its own. A function's versions open in an explorer, in a frame whose text is in the file, too.
Everything of the program's stands in it as text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from compile_lessons.explorer import page
from compile_lessons.explorer.document import asset, document
from compile_lessons.explorer.sheet import Sheet, sheet
from compile_lessons.explorer.strip import Row, compile_ids
from compile_lessons.facts.run import Compile, GraphBreak, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import FailedGuard, read_guard
from compile_lessons.findings.rules_of_run.compile_time import stages_in_words
from compile_lessons.forms.run import head, notes
from compile_lessons.forms.steady import comparison_lines, profile_lines
from compile_lessons.forms.timeline import (
    PARTS,
    CallRange,
    Piece,
    compile_seconds,
    even_pieces,
    main_process,
    phases,
    stepping_region,
)
from compile_lessons.ground.site import address
from compile_lessons.ground.words import counted, file_line, rough_duration, short_number
from compile_lessons.show import table
from compile_lessons.trace.versions import NOT_RECORDED, pipeline_of

#: Where torch explains each kind of graph break.
_GRAPH_BREAKS = "https://meta-pytorch.github.io/compile-graph-break-site/gb/"
#: Pieces of a timeline, and processes that have one.
_PIECES, _TIMELINES = 200, 16
#: Places of a finding that are shown.
_PLACES = 12
#: Versions that open in an explorer, in all and of one function, and characters of their graphs, guards and code.
_VERSIONS, _OF_FUNCTION, _CHARACTERS = 12, 4, 800_000
#: Parts of the seconds of stages.
_INSIDE = ("kernels", "autotuning", "cudagraphify")
_OUTCOMES = {"skipped": "skipped", "limit": "limit reached", "failed": "failed"}


def diagnosis(run: Run, findings: Sequence[Finding], source: bool = True) -> str:
    """Return the report as an HTML file. Without ``source`` it has no line of the program, graph, guard or code."""
    first, *others = head(run, findings).splitlines()
    title = f"Diagnosis of {' '.join(run.command) or 'a trace'}"
    process = main_process(run)
    sections = [_findings(findings, source)]
    if process:
        sections += [_timelines(run, process), _processes(run), _steady(run), _compiled(process, findings, source)]
    sections.append(_notes(run, source))
    body = (
        f'<header><h1>{escape(title)}</h1>\n<p class="first">{_text(first)}</p>{_list(others)}</header>\n'
        f"<main>\n{''.join(sections)}</main>"
    )
    framed = (page.style(), page.script()) if "<iframe" in body else None
    return document(title, asset("base.css") + asset("diagnosis.css"), body, framed=framed)


# ---------------------------------------------------------------------------------------------------- findings


def _findings(findings: Sequence[Finding], source: bool) -> str:
    if not findings:
        return _section("findings", "Findings", "<p>None: nothing to change was found in this run.</p>")
    return _section("findings", "Findings", f"<ol>{''.join(_finding(found, source) for found in findings)}</ol>")


def _finding(found: Finding, source: bool) -> str:
    cost = "" if found.seconds is None else f' <span class="cost">{escape(rough_duration(found.seconds))}</span>'
    mark = "" if found.severity == "fault" else "<em>advice</em> "
    where = "".join(f"<li>{_place(line, source)}</li>" for line in _unique(found.where)[:_PLACES])
    return (
        f"<li><h3>{mark}{_text(found.what)}{cost}</h3>"
        f"{f'<ul class=where>{where}</ul>' if where else ''}{_list(found.evidence)}"
        f'<p><strong>Fix:</strong> {_text(found.remedy)} <a href="{escape(address(found.lesson))}">'
        f"Lesson: {escape(found.lesson)}</a></p></li>"
    )


def _unique(where: Iterable[Location]) -> list[Location]:
    return list({(line.file, line.line): line for line in where}.values())


def _place(line: Location, source: bool) -> str:
    text = f" <code>{escape(line.text)}</code>" if source and line.text else ""
    return f"<b>{escape(file_line(line.file, line.line))}</b>{text}"


# ---------------------------------------------------------------------------------------------------- timeline


def _timelines(run: Run, main: Process) -> str:
    shown = [process for process in run.processes if process.compiles or process.regions]
    shown = ([main] + [process for process in shown if process is not main])[:_TIMELINES]
    begin, end = min(process.start for process in shown), max(process.end for process in shown)
    if end <= begin:
        return ""
    drawn = "".join(_drawing(process, begin, end, _name(process) if len(shown) > 1 else "the run") for process in shown)
    legend = "".join(
        f'<li><svg viewBox="0 0 1 1"><path class="p{n}" d="M0 0h1v1h-1z"/></svg> {name}</li>'
        for n, name in enumerate(PARTS)
    )
    axis = f'<p class="axis"><span>0 s</span><span>{escape(rough_duration(end - begin))}</span></p>'
    return _section("timeline", "Timeline", f'<ul class="legend">{legend}</ul>{drawn}{axis}{_phases(main)}')


def _drawing(process: Process, begin: float, end: float, name: str) -> str:
    """Draw each piece as a column of the parts of its time, and a mark for each call, on the scale of the run."""
    length = end - begin
    x, width = 1000 * (process.start - begin) / length, 1000 * (process.end - process.start) / length
    if width <= 0:
        return ""
    found = even_pieces(process, _PIECES)
    columns = "".join(_column(n, found, x, width / _PIECES) for n in range(len(PARTS)))
    region = stepping_region(process)
    starts = sorted(
        {round(1000 * (s.start - begin) / length) for s in process.spans if region and s.region == region.id}
    )
    marks = f'<path class="marks" d="{"".join(f"M{at} 44v6" for at in starts)}"/>' if starts else ""
    sums = ", ".join(f"{part} {rough_duration(sum(piece.parts[n] for piece in found))}" for n, part in enumerate(PARTS))
    note = f"{name}; each mark below is a call of {region.name}" if region and marks else name
    return (
        f"<figure><figcaption>{escape(note)}</figcaption>"
        f'<svg class="run" role="img" viewBox="0 0 1000 50" preserveAspectRatio="none">'
        f"<title>{escape(f'{name}: {sums}')}</title>{columns}{marks}</svg></figure>"
    )


def _column(part: int, found: Sequence[Piece], x: float, width: float) -> str:
    """Draw one part of all pieces as a single path; what a piece has of the parts before it is below it."""
    steps = []
    for number, piece in enumerate(found):
        below, share = sum(piece.parts[:part]) / piece.seconds, piece.parts[part] / piece.seconds
        if share > 0.004:
            top = 40 * (1 - below - share)
            steps.append(f"M{x + number * width:.6g} {top:.4g}h{width:.4g}v{40 * share:.4g}h-{width:.4g}z")
    return f'<path class="p{part}" d="{"".join(steps)}"/>' if steps else ""


def _phases(process: Process) -> str:
    region = stepping_region(process)
    found = [phase for phase in phases(process) if phase.piece.seconds]
    if not found or not region:
        return ""
    columns = "".join(f'<th scope="col">{name}</th>' for name in ("time", "seconds", "a call", *PARTS))
    rows = "".join(f"<tr>{_phase(phase)}</tr>" for phase in found)
    return _scrolling(
        f"Phases of {_name(process)}",
        f"<table><caption>By calls of <code>{escape(region.name)}</code></caption><thead><tr>{columns}</tr></thead>"
        f"<tbody>{rows}</tbody></table>",
    )


def _phase(phase: CallRange) -> str:
    shares = [part / phase.piece.seconds for part in phase.piece.parts]
    bar = "".join(
        f'<rect class="p{n}" x="{100 * sum(shares[:n]):.4g}" width="{100 * share:.4g}" height="10"/>'
        for n, share in enumerate(shares)
        if share > 0
    )
    cells = [table.duration(phase.piece.seconds), "-" if phase.a_call is None else table.duration(phase.a_call)]
    cells += [f"{share:.0%}" if share else "-" for share in shares]
    drawn = f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{bar}</svg>'
    return f'<th scope="row">{phase.title}{drawn}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in cells)


def _name(process: Process) -> str:
    return f"process {process.pid}" if process.rank is None else f"rank {process.rank}"


def _processes(run: Run) -> str:
    """Compare the processes, if there are several."""
    shown = [process for process in run.processes if process.compiles or process.regions]
    if len(shown) < 2:
        return ""
    columns = ("process", "compiling", "compiles", "again", "graph breaks", "calls", "calls in eager mode")
    rows = []
    for process in shown:
        compiled = [item for item in process.compiles if item.outcome == "compiled"]
        cells = (
            rough_duration(compile_seconds(process)),
            len(compiled),
            sum(bool(item.guards) for item in compiled),
            len({(item.cause, item.inside[-1:]) for item in process.breaks}),
            sum(region.calls for region in process.regions),
            sum(region.eager_calls for region in process.regions),
        )
        head_cell = f'<th scope="row">{escape(_name(process))}</th>'
        rows.append(head_cell + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells))
    heads = "".join(f'<th scope="col">{name}</th>' for name in columns)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return _section(
        "processes",
        "Processes",
        _scrolling("Processes", f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"),
    )


def _steady(run: Run) -> str:
    """Say how the steady state compares with eager mode, and what a profile of it has."""
    compared = _section("compared", "Compared with eager mode", _list(comparison_lines(run))) if run.eager else ""
    profiled = profile_lines(run)
    if not profiled:
        return compared
    listing = f'<pre tabindex="0" role="group" aria-label="Profile">{escape(chr(10).join(profiled[1:]))}</pre>'
    body = f"<p>{_text(profiled[0])}</p>" + (listing if len(profiled) > 1 else "")
    return compared + _section("profile", "Profile", body)


# ---------------------------------------------------------------------------------------------------- compiles


def _compiled(process: Process, findings: Sequence[Finding], source: bool) -> str:
    """List the functions that were compiled, those that took longest first, with their versions folded."""
    functions: dict[tuple[str, int, str], list[Compile]] = defaultdict(list)
    for item in process.compiles:
        functions[item.code.file, item.code.line, item.name].append(item)
    breaks: dict[str, list[GraphBreak]] = defaultdict(list)
    for graph_break in process.breaks:
        breaks[graph_break.compile].append(graph_break)
    ordered = sorted(functions.values(), key=lambda versions: -sum(item.seconds for item in versions))
    if not ordered:
        return ""
    opened = _to_open(ordered, findings) if source else []
    frames = [_explorer([item for item in versions if item in opened], process, findings) for versions in ordered]
    shown = "".join(_function(versions, breaks, source, frame) for versions, frame in zip(ordered, frames, strict=True))
    written = [item for item in process.compiles if item.listings] if source else []
    left_out = ""
    if len(opened) < len(written):
        left_out = (
            f"<p>{len(opened)} of {len(written)} versions open in an explorer: first those of functions that a "
            "finding names, and of each the first ones and the newest. The others are left out of this file.</p>"
        )
    return _section("compiled", f"What was compiled in {_name(process)}", left_out + shown)


def _to_open(functions: Sequence[Sequence[Compile]], findings: Sequence[Finding]) -> list[Compile]:
    """Return the versions that open in an explorer."""
    named = {(line.file, line.line) for found in findings for line in found.where}

    def is_named(versions: Sequence[Compile]) -> bool:
        return any((place.file, place.line) in named for item in versions for place in (item.code, item.place))

    opened: list[Compile] = []
    room = _CHARACTERS
    for versions in sorted(functions, key=lambda versions: not is_named(versions)):
        written = [item for item in versions if item.listings]
        first = [*written[: _OF_FUNCTION - 1], *written[_OF_FUNCTION - 1 :][-1:]]
        for item in first:
            size = sum(len(listing.text) for listing in item.listings)
            if len(opened) < _VERSIONS and size <= room:
                opened.append(item)
                room -= size
    return opened


def _explorer(versions: Sequence[Compile], process: Process, findings: Sequence[Finding]) -> str:
    """Return the versions of one function as a frame with linked panes."""
    sheets = {f"version {item.id}": shown for item in versions if (shown := _sheet(item, process, findings))}
    if not sheets:
        return ""
    text = escape(page.page_of(sheets))
    title = escape(f"{versions[0].name}: {', '.join(sheets)}")
    return f'<iframe title="{title}" loading="lazy" srcdoc="{text}"></iframe>'


def _sheet(item: Compile, process: Process, findings: Sequence[Finding]) -> Sheet | None:
    breaks = [found for found in process.breaks if found.compile == item.id]
    pipeline = pipeline_of(item, breaks, process.torch or "")
    if pipeline is None:
        return None
    files = {line.file for line in pipeline.lines.lines}
    own = [found for found in findings if any(line.file in files for line in found.where[:1])]
    return sheet(pipeline, findings=own, rows=tuple(_rows(item, process)))


def _rows(item: Compile, process: Process) -> Iterable[Row]:
    stages = stages_in_words(item)
    yield compile_ids([f"{item.id} {item.name}"])
    yield Row("compile time", rough_duration(item.seconds) + (f": {stages}" if stages else ""))
    if item.operations is not None:
        yield Row("operations", str(item.operations))
    if item.guard_count is not None:
        yield Row("guards", str(item.guard_count))
    if item.caches:
        yield Row("Inductor's cache", ", ".join(item.caches))
    yield Row("compiled by", f"torch {process.torch}" if process.torch else "unknown")
    yield Row("not recorded", ", ".join(NOT_RECORDED))


def _function(versions: Sequence[Compile], breaks: dict[str, list[GraphBreak]], source: bool, explorer: str) -> str:
    compiled = sum(item.outcome == "compiled" for item in versions)
    words = [counted(compiled, "version")] if compiled else []
    words += dict.fromkeys(_OUTCOMES[item.outcome] for item in versions if item.outcome in _OUTCOMES)
    broken = len({(item.cause, item.inside[-1:]) for version in versions for item in breaks[version.id]})
    words += [counted(broken, "graph break")] if broken else []
    seconds = sum(item.seconds for item in versions if not item.nested)
    code = versions[0].code
    place = f"<b>{escape(file_line(code.file, code.line))}</b>"
    summary = f"<code>{escape(versions[0].name)}</code> {place} {', '.join(words)}; {escape(rough_duration(seconds))}"
    opens = _fold("Open in the explorer: source, graphs, guards and code, line by line", explorer) if explorer else ""
    return _fold(summary, opens + "".join(_version(item, breaks[item.id], source) for item in versions))


def _version(item: Compile, breaks: Sequence[GraphBreak], source: bool) -> str:
    guards = [read_guard(guard.text, guard.new) for guard in item.guards]
    because = [_words(guard) for guard in guards]
    parts = [item.id or "not compiled", *([f"call {item.call}"] if item.call else []), rough_duration(item.seconds)]
    parts += [_OUTCOMES[item.outcome]] if item.outcome in _OUTCOMES else []
    summary = escape(", ".join(parts)) + (f": {_text(because[0])}" if because else "")
    about = [stages_in_words(item)] if item.stages else []
    about += [f"of that, {part}: {rough_duration(item.stages[part])}" for part in _INSIDE if part in item.stages]
    about += [f"{item.operations} operations in the graph"] if item.operations is not None else []
    about += [f"Inductor's cache: {', '.join(item.caches)}"] if item.caches else []
    about += [item.reason] if item.reason else []
    callers = "".join(f"<li>called by {_place(line, source)}</li>" for line in item.stack[:3])
    checks = "".join(
        f"<li>{_text(words)}{f' <code>{escape(guard.text)}</code>' if source else ''}</li>"
        for words, guard in zip(because, item.guards, strict=True)
    )
    return _fold(
        summary,
        f"<ul>{''.join(f'<li>{_text(line)}</li>' for line in about)}{callers}</ul>"
        + (f"<h3>Guards that failed, of the newest version first</h3><ul>{checks}</ul>" if checks else "")
        + "".join(_break(graph_break, source) for graph_break in breaks),
    )


def _words(guard: FailedGuard) -> str:
    if not guard.old or not guard.new:
        return guard.what
    return f"{guard.what}: {short_number(guard.old)} → {short_number(guard.new)}"


def _break(graph_break: GraphBreak, source: bool) -> str:
    where = "".join(f"<li>{_place(line, source)}</li>" for line in reversed(graph_break.inside))
    return (
        f"<h3>Graph break: {_text(graph_break.cause)} {_text(graph_break.gb_id or '')}</h3>"
        f"<ul class=where>{where}</ul><p>{_text(graph_break.explanation)}</p>{_list(graph_break.hints)}"
    )


def _notes(run: Run, source: bool) -> str:
    lines = notes(run)
    if not source:
        lines.append("Made with --no-source: lines of the program, graphs, guards and generated code are left out.")
    versions = {process.torch for process in run.processes if process.torch}
    return f"<footer>{_list([*lines, *(f'torch {version}' for version in sorted(versions))])}</footer>"


# ---------------------------------------------------------------------------------------------------- pieces of HTML


def _section(id: str, title: str, body: str) -> str:
    return f'<section id="{id}" aria-labelledby="{id}-title"><h2 id="{id}-title">{escape(title)}</h2>{body}</section>\n'


def _fold(summary: str, body: str) -> str:
    return f"<details><summary>{summary}</summary>{body}</details>\n"


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_text(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _scrolling(label: str, body: str) -> str:
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(label)}">{body}</div>'


_SPECIAL = re.compile(r"`([^`\n]+)`|\b(GB\d{4})\b")


def _text(text: str) -> str:
    """Return text as HTML, with code between backticks as code, and ids of graph breaks as links."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    end = 0
    for match in _SPECIAL.finditer(text):
        yield escape(text[end : match.start()])
        if match[1]:
            yield f"<code>{escape(match[1])}</code>"
        else:
            yield f'<a href="{_GRAPH_BREAKS}{match[2].lower()}.html">{match[2]}</a>'
        end = match.end()
    yield escape(text[end:])
