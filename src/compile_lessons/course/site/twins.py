"""The plain-Markdown twin of a page: its text, with the programs and their outputs in place of the embeds.

Language models and terminals read it at ``/dynamo/guards/index.md``, beside the page; ``llms.txt`` lists all twins.
"""

import functools
import posixpath
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import griffe
from markdown import Markdown
from pymdownx.snippets import SnippetPreprocessor

from compile_lessons.course.records.record import Record
from compile_lessons.course.site import parts
from compile_lessons.course.site.fix_tables import table_of_fixes
from compile_lessons.course.site.lookup import Lookup
from compile_lessons.course.site.pages import (
    EXECUTED,
    FENCED,
    VALUE,
    Embed,
    EmbedError,
    parse_catalogue,
    parse_embed,
    parse_lab,
    parse_value,
)
from compile_lessons.labs.lab import find_lab

# '??? question "Why is the first call slow?"' and '=== "Graph"'; the content below is indented
_TITLED = r'^(?:\?\?\?\+?|!!!|===)(?: [\w-]+)? "(?P<title>.+)"\n(?P<content>(?:[ \t].*(?:\n|\Z)|\n)*)'
# "::: compile_lessons.gpu.Device"; its options are indented
_DOCUMENTED = r"^::: (?P<path>[\w.]+)(?:\n[ \t].*)*(?:\n|\Z)"
_PIECE = re.compile(rf"{FENCED}|{_TITLED}|{_DOCUMENTED}|(?P<line>.*)\n|(?P<last>.+)", re.M)
_VALUE = re.compile(VALUE)
# "{ #modes }", "{ .lesson-facts }": for the page's looks and addresses
_ATTRIBUTES = re.compile(r"[ \t]*\{:?\s*[.#][^}`]*\}")
# '<div class="grid cards" markdown>', "</div>", "{ .lesson-facts }"
_NO_TEXT = re.compile(r"^\s*(?:</?div\b[^>]*>|\{ \.[^}]*\})$")
# "](../dynamo/guards.md#causes)", "](predict_the_graph.ipynb){ download }"; not an address with a scheme
_LINK = re.compile(r"\]\((?P<path>[\w./-]+\.(?:md|ipynb))(?P<anchor>#[\w-]+)?\)(?:\{ download \})?")
# "# region copy", "# endregion"
_REGION_MARK = re.compile(r"^\s*# (?:end)?region.*\n", re.M)


def twin(text: str, page: str, lookup: Lookup) -> str:
    """Return the twin of a page from its Markdown; ``page`` is its path below ``docs/``, for the links.

    Raises ``ProjectError`` for an embed that can't be shown, as the check of the site does.
    """
    return "\n".join(_converted(text, page, lookup)).strip() + "\n"


def description(text: str) -> str:
    """Return the first paragraph of a twin without markup, as whole sentences of 200 characters together at most."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text))
    prose = (paragraph for paragraph in paragraphs if re.match(r"[\w`*\[]", paragraph) and " · " not in paragraph)
    first = next(prose, "")
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", first).replace("`", "").replace("*", "")
    chosen, *others = re.split(r"(?<=[.:])\s+(?=[A-Z])", plain)
    for sentence in others:
        if len(chosen) + 1 + len(sentence) > 200:
            break
        chosen += f" {sentence}"
    return chosen.rstrip(":")


def _converted(text: str, page: str, lookup: Lookup) -> Iterator[str]:
    for piece in _PIECE.finditer(text):
        if piece["mark"]:
            body, info = textwrap.dedent(piece["body"]), piece["info"].strip()
            if EXECUTED.search(info) and (table := parse_catalogue(body)):
                yield from (_prose(line, page, lookup) for line in table_of_fixes(table).splitlines())
            else:
                yield from _block(piece["mark"], info, body, lookup).splitlines()
        elif piece["title"]:
            yield "**{}**".format(piece["title"].replace('\\"', '"'))
            yield from _converted(textwrap.dedent(piece["content"]).removesuffix("\n"), page, lookup)
        elif piece["path"]:
            yield from _documentation(piece["path"]).splitlines()
        elif not _NO_TEXT.match(line := piece["line"] or piece["last"] or ""):
            yield _prose(line, page, lookup)


def _prose(line: str, page: str, lookup: Lookup) -> str:
    line = _ATTRIBUTES.sub("", _VALUE.sub(lambda match: _value(match["call"], lookup), line))
    return _LINK.sub(lambda match: f"]({link(page, match['path'])}{match['anchor'] or ''})", line)


def twin_address(page: str) -> str:
    """Return where the twin of a page is below the site's root: ``dynamo/guards.md`` is ``dynamo/guards/index.md``."""
    folder, name = posixpath.split(page.removesuffix(".md"))
    return posixpath.join(folder, "index.md") if name == "index" else posixpath.join(folder, name, "index.md")


def link(page: str, target: str) -> str:
    """Return the link from the twin of ``page`` to a file, or the twin of a page, that ``page`` names ``target``."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    return posixpath.relpath(
        twin_address(path) if path.endswith(".md") else path, posixpath.dirname(twin_address(page)) or "."
    )


def _value(call: str, lookup: Lookup) -> str:
    value = parse_value(call)
    record = lookup.find(value.name).record
    return parts.text_of(record, value) if record else "…"


def _block(mark: str, info: str, body: str, lookup: Lookup) -> str:
    if EXECUTED.search(info):
        try:
            lab = parse_lab(body)
            return _lab_part(lab.slug, lab.part) if lab else _embedded(parse_embed(body), lookup)
        except EmbedError as error:  # the page shows it, too, and "check" fails
            return str(error)
    code = "\n".join(_includes(lookup.project.root).run(body.splitlines())).rstrip()
    return f"{mark}{info}\n{code}\n{mark}"


def _lab_part(slug: str, part: str) -> str:
    facts = find_lab(slug).facts
    if part == "question":
        return f"**{facts.question}**\n\n{facts.answer}"
    return "\n".join(f"{number}. {text}" for number, text in enumerate(facts.hints, 1))


def _embedded(embed: Embed, lookup: Lookup) -> str:
    shown = lookup.find(embed.name)
    text = ""
    if embed.show != "output":
        code = _REGION_MARK.sub("", parts.source_of(shown.plan.snippet, embed).code)
        text += f"`snippets/{embed.name}`:\n\n{_fenced(code, 'python')}\n\n"
    if embed.show != "source":
        if shown.record is None or shown.failure:
            text += f"No output: {shown.failure.message if shown.failure else shown.lacking}.\n\n"
        else:
            text += _output(shown.record, embed)
    return text.rstrip()


def _output(record: Record, embed: Embed) -> str:
    printed = "".join(output.text for output in parts.outputs_of(record, embed))
    how = f"recorded on {record.device}, {record.date[:10]}" if record.recorded else f"ran {record.date[:10]}"
    lead = f"Output of `{record.command}` ({how}, torch {record.torch}):"
    return f"{lead}\n\n{_fenced(printed, embed.language or 'text')}\n" if printed else f"{lead} nothing.\n"


def _fenced(code: str, language: str) -> str:
    longest = max((len(ticks) for ticks in re.findall(r"`+", code)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{language}\n{code.rstrip()}\n{mark}"


@functools.cache
def _includes(root: Path) -> SnippetPreprocessor:
    """Return what puts files, and regions of them, in the place of lines like ``--8<-- "snippets/cpp/graph.cpp"``."""
    as_on_pages = {"base_path": [str(root)], "dedent_subsections": True}
    md = Markdown(extensions=["pymdownx.snippets"], extension_configs={"pymdownx.snippets": as_on_pages})
    return md.preprocessors["snippet"]


def _documentation(path: str) -> str:
    """Return the signature and the docstring of something in ``compile_lessons``, then of its public methods."""
    item = _package()[path.partition(".")[2]]
    documented = item.final_target if item.is_alias else item
    return "\n\n".join(_entry(documented, path.rpartition(".")[2])) + "\n"


def _entry(item: griffe.Object, name: str) -> Iterator[str]:
    if not item.docstring:
        return
    yield f"## {name}"
    yield _fenced(_signature(item, name), "python")
    yield item.docstring.value
    if isinstance(item, griffe.Class):
        for member in item.members.values():
            if isinstance(member, griffe.Object) and not member.name.startswith("_"):
                yield from _entry(member, f"{name}.{member.name}")


def _signature(item: griffe.Object, name: str) -> str:
    if isinstance(item, griffe.Class | griffe.Function):
        return item.signature(name=name)
    return f"{name}: {item.annotation}" if isinstance(item, griffe.Attribute) and item.annotation else name


@functools.cache
def _package() -> griffe.Module:
    """Return the package as its source describes it. Nothing is imported."""
    package = griffe.load("compile_lessons", allow_inspection=False)
    assert isinstance(package, griffe.Module)
    return package
