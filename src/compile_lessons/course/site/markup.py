"""The HTML of an embed, in the theme's own terms: code blocks, admonitions, details and tabs."""

import functools
import hashlib
import html
import itertools
import math
import re
from collections.abc import Iterator, Sequence

from markdown import markdown
from pymdownx.highlight import Highlight

from compile_lessons.course.records.progress import RunProgress
from compile_lessons.course.records.record import Output, Record, SnippetFailure
from compile_lessons.course.records.snippet import Checks
from compile_lessons.course.site.pages import Embed, LabPart
from compile_lessons.course.site.parts import Source
from compile_lessons.explorer import Explorer
from compile_lessons.ground.words import counted
from compile_lessons.labs.lab import find_lab
from compile_lessons.show.charts import Bars
from compile_lessons.show.recorded import drawn

_numbers = itertools.count()


_NUMBER = r'<span class="linenos" data-linenos="[^"]*"></span>'
#: A line of highlighted code that only marks a region, such as
#: ``<span class="linenos" data-linenos=" 9 "></span><span class="c1"># region copy</span>``.
_REGION_MARK = re.compile(rf'{_NUMBER}\s*<span class="c1"># (?:end)?region.*</span>\n')
#: Empty lines beyond one, such as those between functions: ``<span class="linenos" data-linenos=" 9 "></span>``.
_MORE_EMPTY_LINES = re.compile(rf"({_NUMBER}\n)(?:{_NUMBER}\n)+")
#: An empty line, and the number of the next one: where lines were left out, it has a sign instead of its own.
_BEFORE_A_GAP = re.compile(
    r'<span class="linenos" data-linenos=" *(\d+) "></span>\n'
    r'(?=(?:<span class="hll">)?<span class="linenos" data-linenos=" *(\d+) ")'
)
#: Columns, as in ``sum     3 calls``.
_ALIGNED = re.compile(r"\S {2,}\S")
_WIDEST_TABLE = 120
#: The folder of a program, as a command to run it has it: ``snippets/<wbr>dynamo/<wbr>guards/<wbr>``.
_FOLDER = re.compile(r"snippets/<wbr>(?:\w+(?:<wbr>\w+)*/<wbr>)*")
#: Columns of a line number and the space after it.
_NUMBERS = 6
#: An output of so many lines stays on one sheet of paper.
_SHORT = 12
#: Columns that fit a phone: longer lines may wrap there.
_PHONE = 44
_LINE = re.compile(r".+")
#: A branch of a tree, as in ``| | +- GuardManager: source=L['x']``. Its indentation shows which node is its parent.
_BRANCH = re.compile(r"[| ]*\+- ")
#: The line between head and rows of a table of torch's profiler, which can be wider: ``-----  ---  ---``.
_RULE = re.compile(r" *-{3,}( +-{3,})+ *$")
#: The beginning of a diagram, a chart or a plot, and its width, if it has one: ``<svg role="img" width="374"``.
_DRAWING = re.compile(r'<svg(?=[^>]* role="img")(?=[^>]* width="(\d+)")?')
_OPENED_DRAWING = re.compile(r'<svg(?=[^>]* role="img")[^>]*>')
#: How the line from quartile to quartile at the end of a bar begins.
_QUARTILES = "<line x1="
_FRAME = re.compile(r'aria-label="" loading="lazy" data-explorer=""')
_LEGEND = '<p class="plot-legend">A line at the end of a bar: from quartile to quartile.</p>'
#: Pixels: a drawing of this width can be read on a phone when it is made to fit.
_FITS_A_PHONE = 390


def source(shown: Source) -> str:
    """Return Python source with the line numbers of its file, without the lines that mark regions and the empty lines
    that they leave."""
    code = _highlight().highlight(
        shown.code, "python", linestart=shown.first_line, hl_lines=list(shown.highlight), title=shown.title
    )
    code = _MORE_EMPTY_LINES.sub(r"\1", _REGION_MARK.sub("", code))
    code = _BEFORE_A_GAP.sub(_mark_gap, code)
    if shown.title:
        # The line's end is for the search, which would read one word with the code.
        code = code.replace(f">{shown.title}</span>", f">{_breakable(shown.title)}</span>\n", 1)
    columns = _columns(shown.code.splitlines()) + _NUMBERS
    return f'<div class="snippet-source" style="--columns: {columns}">{code}</div>'


def _columns(lines: Sequence[str]) -> int:
    return max(map(len, lines), default=0)


def _mark_gap(line: re.Match[str]) -> str:
    number, following = line.groups()
    return line[0] if int(following) == int(number) + 1 else line[0].replace(number, "…".rjust(len(number)))


def block(parts: str) -> str:
    """Return the parts of an embed, from the source to the line about the run, in one frame."""
    return f'<div class="snippet">{parts}</div>'


def _breakable(path: str) -> str:
    """Return a path that breaks between its parts where it doesn't fit."""
    return re.sub(r"([/_])", r"\1<wbr>", html.escape(path))


def checks(region: Checks, name: str) -> str:
    """Return the region ``checks`` of a snippet, folded under "checked: 2 statements"."""
    title = f"checked: {counted(region.statements, 'statement')}"
    code = _highlight().highlight(region.code, "python", linestart=region.first_line)
    named = html.escape(f"{title} of {name}")
    summary = f'<summary data-search-exclude aria-label="{named}">{title}</summary>'
    return f'<details class="snippet-checks">{summary}{code}</details>'


@functools.cache
def _highlight() -> Highlight:
    return Highlight(None, linenums_style="pymdownx-inline", pygments_lang_class=True)


def output(
    record: Record, outputs: list[Output], embed: Embed, address: str | None, colab: str | None, changed: bool
) -> str:
    """Return the output that an embed shows, and where it is from; ``address`` is that of the repository, ``colab``
    that of the snippet's notebook. ``changed``: the package has changed since the recording was made."""
    shown = _outputs(outputs, embed.language, embed.mark) or '<p class="snippet-silent">It prints nothing.</p>'
    shown = _name_drawings(shown, record.title)
    shown = _name_frames(shown, record)
    if embed.collapsed:
        lines = record.text.count("\n")
        shown = f'<details class="example"><summary>Output, {lines} lines</summary>{shown}</details>'
    where = _provenance(record, embed, address, colab, changed)
    return f'<div class="snippet-output" id="{embed.anchor}">{shown}</div>{where}'


def _outputs(items: list[Output], language: str | None, mark: str | None) -> str:
    """Return outputs one below the other. Several drawings stand side by side, each with the text before it."""
    if sum("image/svg+xml" in item.rich for item in items) < 2:
        return "".join(_one(item, language, mark) for item in items)
    shown, before = "", ""
    for item in items:
        one = _one(item, language, mark)
        if "image/svg+xml" in item.rich:
            shown, before = f'{shown}<div class="snippet-drawing">{before}{one}</div>', ""
        elif item.rich:
            shown, before = shown + before + one, ""
        else:
            shown, before = shown + before, one
    return f'<div class="snippet-drawings">{shown}{before}</div>'


def _one(item: Output, language: str | None, mark: str | None) -> str:
    if "image/svg+xml" in item.rich:
        return f'<div class="snippet-rich">{item.rich["image/svg+xml"]}</div>'
    if Explorer.MIME in item.rich:
        return _frame(Explorer.from_json(item.rich[Explorer.MIME]))
    if rich := drawn(item.rich):
        box = f'<div class="snippet-rich md-typeset__scrollwrap">{_describe_drawing(rich, item.text)}</div>'
        return box + _LEGEND if Bars.MIME in item.rich and _QUARTILES in rich else box
    marked = [number for number, line in enumerate(item.text.splitlines(), 1) if mark and mark in line]
    return _highlight().highlight(item.text, language, hl_lines=marked) if language else _printed(item.text, marked)


def _describe_drawing(rich: str, text: str) -> str:
    """Give the first drawing that doesn't tell what it shows the text of its output, for screen readers."""
    described = f"<desc>{html.escape(text)}</desc>"
    return rich if "<desc>" in rich else _OPENED_DRAWING.sub(lambda opened: opened[0] + described, rich, count=1)


def _name_drawings(shown: str, title: str) -> str:
    """Name diagrams, charts and plots after their program, and number them where it draws several."""
    count = len(_DRAWING.findall(shown))
    names = iter([title] if count == 1 else [f"{title}, {number} of {count}" for number in range(1, count + 1)])

    def named(drawing: re.Match[str]) -> str:
        width = int(drawing[1]) if drawing[1] else math.inf
        classes = ' class="small"' if width <= _FITS_A_PHONE else ""
        return f'<svg{classes} aria-label="{html.escape(next(names))}"'

    return _DRAWING.sub(named, shown)


def _frame(explorer: Explorer) -> str:
    """Return the frame of an explorer, with the document itself. It doesn't have its title and its name yet."""
    source = html.escape(explorer.html(own_fonts=False))
    return (
        '<div class="snippet-explorer">'
        f'<iframe aria-label="" loading="lazy" data-explorer="" srcdoc="{source}"></iframe></div>'
    )


def _name_frames(shown: str, record: Record) -> str:
    """Name the frames of explorers after their program, and number them from the second on."""
    name, numbers = record.snippet.removesuffix(".py"), itertools.count(1)

    def named(frame: re.Match[str]) -> str:
        number = next(numbers)
        own = f"{name}-{number}" if number > 1 else name
        return f'aria-label="Explorer: {html.escape(record.title)}" loading="lazy" data-explorer="{own}"'

    return _FRAME.sub(named, shown)


def _printed(text: str, marked: Sequence[int] = ()) -> str:
    """Return text as it was printed, with the ``marked`` lines highlighted as pygments does it.

    Lines in columns and trees scroll where they don't fit; torch's long messages wrap. A table among long lines of text
    scrolls by itself.
    """
    lines = text.splitlines()
    tables = _ruled_tables(lines)
    in_tables = {number for table in tables for number in table}
    beside = [line for number, line in enumerate(lines) if number not in in_tables]
    alone = tables if _columns(beside) > _PHONE else []  # these tables scroll by themselves
    is_tree = 2 * sum(bool(_BRANCH.match(line)) for line in lines) > len(lines)
    attributes = ' class="snippet-tree"' if is_tree else ""
    shown = html.escape(text, quote=False).splitlines(keepends=True)
    if not alone and _is_aligned(lines, bool(tables)):
        attributes = f' class="snippet-aligned" style="--columns: {_columns(lines)}"'
    elif _columns(lines) > _PHONE:
        shown = [
            escaped
            if number in in_tables
            else _LINE.sub(rf'<span style="--text: {_text_of(line)}">\g<0></span>', escaped)
            for number, (line, escaped) in enumerate(zip(lines, shown, strict=True))
        ]
    for number in marked:
        shown[number - 1] = f'<span class="hll">{shown[number - 1]}</span>'
    for table in alone:
        width = _columns(lines[table.start : table.stop])
        shown[table[0]] = f'<span class="snippet-table" style="--columns: {width}">{shown[table[0]]}'
        shown[table[-1]] += "</span>"
    short = " data-short" if len(lines) <= _SHORT else ""
    return f'<div class="highlight"><pre{attributes}{short}><code>{"".join(shown)}</code></pre></div>'


def _is_aligned(lines: Sequence[str], ruled: bool) -> bool:
    """Whether lines are in columns, or ``ruled``, and not too wide; a ruled table in columns may have any width."""
    spaced = sum(bool(_ALIGNED.search(line)) for line in lines)
    columns = spaced > 1 and 2 * spaced >= len(lines)
    return (columns and ruled) or ((columns or ruled) and _columns(lines) <= _WIDEST_TABLE)


def _text_of(line: str) -> int:
    """Return the column below which a line that wraps goes on."""
    branch = _BRANCH.match(line)
    return branch.end() if branch else len(line) - len(line.lstrip()) + 2


def _ruled_tables(lines: Sequence[str]) -> list[range]:
    """Return the lines of each table: from its head, above the rule, to the next empty line."""
    tables: list[range] = []
    for number, line in enumerate(lines):
        if not _RULE.match(line) or (tables and number in tables[-1]):
            continue
        first = number - 1 if number and lines[number - 1] else number
        end = next((after for after in range(number, len(lines)) if not lines[after].strip()), len(lines))
        tables.append(range(first, end))
    return tables


def _provenance(record: Record, embed: Embed, address: str | None, colab: str | None, changed: bool) -> str:
    """Return where the output is from: the command and whether it ran now or was recorded; all else folds."""
    ran = 'Ran<span class="when"> when this page was built</span>'
    how = f'Recorded<span class="when"> on {record.device}</span>' if record.recorded else ran
    command = _FOLDER.sub(r'<span class="folder">\g<0></span>', _breakable(record.command))
    command = re.sub(r"^(.+?)(?=python )", r'<span class="variables">\1</span>', command)
    facts, links = " · ".join(_facts(record, changed)), " · ".join(_links(record, embed, address, colab))
    return (
        f'<details class="snippet-provenance{" recorded" if record.recorded else ""}" data-search-exclude>'
        f"<summary>{how}: <code>{command}</code></summary>"
        f'<p>{facts}<span class="snippet-links">{links}</span></p></details>'
    )


def _facts(record: Record, changed: bool) -> Iterator[str]:
    yield f"torch {record.torch}"
    if record.triton:
        yield f"triton {record.triton}"
    for package, version in record.packages.items():
        yield f"{package} {version}"
    yield f"Python {record.python}"
    yield f"{record.isa}, {counted(record.cores, 'core')}"
    yield f"compiler caches {record.caches}"
    yield f"{record.duration:.1f} s"
    yield f'<time datetime="{record.date}">{record.date[:10]}</time>'
    if changed:
        yield "package changed since"
    if record.varies:
        yield "differs from run to run"
    if record.raised:
        yield f"ends with {html.escape(record.raised.split(':')[0])}, as it should"


def _links(record: Record, embed: Embed, address: str | None, colab: str | None) -> Iterator[str]:
    name = record.snippet.split("/")[-1]
    yield f'<a href="#{embed.anchor}" aria-label="link to this output of {name}">link to this output</a>'
    if address:
        yield f'<a href="{address}/blob/main/snippets/{record.snippet}">the program on GitHub</a>'
        raw = f"{address}/raw/main/snippets/{record.snippet}"
        yield f'<a href="{raw}" aria-label="download {name}">download</a>'
    if colab:
        yield f'<a href="{colab}">open in Colab</a>'


def failure_box(name: str, what: SnippetFailure, text: str = "") -> str:
    place = f"snippets/{name}" + (f", line {what.line}" if what.line else "")
    remedy = f"<p>Fix: {html.escape(what.remedy)}.</p>" if what.remedy else ""
    body = f"<p>{html.escape(what.message)}</p>{remedy}{_printed(text) if text else ''}"
    return _admonition("failure", "failure", name, f"This snippet failed: {place}", body)


def unreadable(what: str, message: str) -> str:
    """Return the failure of an embed that can't be shown; ``what`` is its line, or the snippet it names."""
    return _admonition("failure", "failure", what, "This snippet can't be shown", f"<p>{html.escape(message)}</p>")


def lacking(name: str, reason: str) -> str:
    body = f"<p>snippets/{html.escape(name)} {html.escape(reason)}.</p>"
    return _admonition("warning", "lacking", name, "No output on this machine", body)


def pending(name: str, running: bool, progress: RunProgress | None) -> str:
    """Return what stands in the place of an output that a server waits for: whether its snippet runs or is queued."""
    body = f"<p>snippets/{html.escape(name)} {'runs now' if running else 'is one of the next'}"
    if progress:
        body += f'; <span class="snippet-progress">{progress}</span>'
    return _admonition("info", "pending", name, "Running" if running else "Queued", f"{body}. The page fills in.</p>")


def _admonition(kind: str, state: str, name: str, title: str, body: str) -> str:
    """Return one of the theme's boxes; ``python -m compile_lessons.course check`` reads the state and the name."""
    return (
        f'<div class="admonition {kind} snippet-{state}" data-snippet="{html.escape(name)}">'
        f'<p class="admonition-title">{html.escape(title)}</p>{body}</div>'
    )


def inline(text: str, css: str, title: str) -> str:
    return f'<span class="{css}" title="{html.escape(title)}">{html.escape(text)}</span>'


def lab_part(part: LabPart) -> str:
    """Return the hints of a lab, each folded, or the key question with its answer. Raises ``LabError``."""
    facts = find_lab(part.slug).facts
    if part.part == "question":
        return _folded("question", facts.question, facts.answer)
    return "".join(_folded("tip", f"Hint {number}", text) for number, text in enumerate(facts.hints, 1))


def _folded(kind: str, title: str, text: str) -> str:
    """Return one of the theme's boxes that fold out."""
    summary = markdown(title).removeprefix("<p>").removesuffix("</p>")
    return f'<details class="{kind}"><summary>{summary}</summary>{markdown(text)}</details>'


def tabs(name: str, source_html: str, output_html: str) -> str:
    """Return the theme's content tabs (pymdownx.tabbed, alternate style)."""
    group = f"snippet-{hashlib.sha256(name.encode()).hexdigest()[:8]}-{next(_numbers)}"
    inputs = "".join(
        f'<input {"checked " if i == 1 else ""}id="{group}-{i}" name="{group}" type="radio">' for i in (1, 2)
    )
    labels = "".join(f'<label for="{group}-{i}">{label}</label>' for i, label in ((1, "Source"), (2, "Output")))
    blocks = "".join(f'<div class="tabbed-block">{block}</div>' for block in (source_html, output_html))
    return (
        f'<div class="tabbed-set tabbed-alternate" data-tabs="1:2">{inputs}'
        f'<div class="tabbed-labels" data-search-exclude>{labels}</div>'
        f'<div class="tabbed-content">{blocks}</div></div>'
    )
