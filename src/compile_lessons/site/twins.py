"""The plain-Markdown twin of a page: its text, with the programs and their outputs in place of the embeds.

Language models and terminals read it at ``/dynamo/guards/index.md``, beside the page; ``llms.txt`` lists all twins.
"""

from __future__ import annotations

import functools
import posixpath
import re
import textwrap
from collections.abc import Iterator

import griffe

from compile_lessons.labs.lab import find_lab
from compile_lessons.project import Project
from compile_lessons.records.record import Record
from compile_lessons.site import parts
from compile_lessons.site.lookup import Lookup
from compile_lessons.site.pages import EXECUTED, FENCE, Embed, EmbedError, LabPart, parse_embed, parse_lab, parse_value

# "`#!value dynamo/guards.py:ratio:.1f`"
_VALUE = re.compile(r"`#!value\s+([^`]+)`")
# '??? question "Why is the first call slow?"' and '=== "Graph"'; the content below is indented
_TITLED = re.compile(r'^(?:\?\?\?\+?|!!!|===)(?: [\w-]+)? "(?P<title>.+)"$')
# "::: compile_lessons.gpu.Device"
_DOCUMENTED = re.compile(r"^::: (?P<path>[\w.]+)$")
# "{ #modes }", "{ .lesson-facts }": for the page's looks and addresses
_ATTRIBUTES = re.compile(r"[ \t]*\{:?\s*[.#][^}`]*\}")
# '<div class="grid cards" markdown>', "</div>", "{ .lesson-facts }"
_NO_TEXT = re.compile(r"^\s*(?:</?div\b[^>]*>|\{ \.[^}]*\})$")
# "](../dynamo/guards.md#causes)"; not an address with a scheme
_LINK = re.compile(r"\]\((?P<page>[\w./-]+?)\.md(?P<anchor>#[\w-]+)?\)")
# "](predict_the_graph.ipynb){ download }"
_NOTEBOOK = re.compile(r"\]\((?P<path>[\w./-]+\.ipynb)\)(?:\{ download \})?")
# '--8<-- "snippets/cpp/graph.cpp:reverse"', '--8<-- "snippets/build/_step1_print.py"'
_INCLUDED = re.compile(r'^--8<-- "(?P<path>[^":]+)(?::(?P<region>[^"]+))?"$', re.M)
# "# --8<-- [start:ops]"
_MARK = re.compile(r"^.*--8<-- \[(?:start|end):.*\n?", re.M)
# "# region copy", "# endregion"
_REGION_MARK = re.compile(r"^\s*# (?:end)?region.*\n", re.M)


def twin(text: str, page: str, lookup: Lookup) -> str:
    """Return the twin of a page from its Markdown; ``page`` is its path below ``docs/``, for the links.

    Raises ``ProjectError`` for an embed that can't be shown, as the check of the site does.
    """
    return "\n".join(_converted(text.splitlines(), page, lookup)).strip() + "\n"


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


def _converted(lines: list[str], page: str, lookup: Lookup) -> Iterator[str]:
    number = 0
    while number < len(lines):
        line = lines[number]
        end = number + 1
        if fence := FENCE.match(line):
            end = _first(re.compile(rf"\s*{fence['mark']}\s*$"), lines, end)
            body = textwrap.dedent("\n".join(lines[number + 1 : end]))
            end += 1
            yield from _block(fence["mark"], fence["info"].strip(), body, lookup).splitlines()
        elif titled := _TITLED.match(line):
            end = _first(re.compile(r"\S"), lines, end)
            yield "**{}**".format(titled["title"].replace('\\"', '"'))
            yield from _converted(textwrap.dedent("\n".join(lines[number + 1 : end])).splitlines(), page, lookup)
        elif documented := _DOCUMENTED.match(line):
            end = _first(re.compile(r"\S|$"), lines, end)  # its options are indented
            yield from _documentation(documented["path"]).splitlines()
        elif not _NO_TEXT.match(line):
            yield _prose(line, page, lookup)
        number = end


def _first(pattern: re.Pattern[str], lines: list[str], start: int) -> int:
    """Return the number of the first line from ``start`` on that matches; that of the end if none does."""
    return next((number for number in range(start, len(lines)) if pattern.match(lines[number])), len(lines))


def _prose(line: str, page: str, lookup: Lookup) -> str:
    line = _ATTRIBUTES.sub("", _VALUE.sub(lambda match: _value(match[1], lookup), line))
    line = _NOTEBOOK.sub(lambda match: f"]({_link_to_file(page, match['path'])})", line)
    return _LINK.sub(lambda match: f"]({link(page, match['page'])}{match['anchor'] or ''})", line)


def address(page: str) -> str:
    """Return where the twin of a page is below the site's root: ``dynamo/guards.md`` is ``dynamo/guards/index.md``."""
    folder, name = posixpath.split(page.removesuffix(".md"))
    return posixpath.join(folder, "index.md") if name == "index" else posixpath.join(folder, name, "index.md")


def link(page: str, target: str) -> str:
    """Return the link from the twin of ``page`` to that of ``target``, as ``page`` names it, without its ``.md``."""
    other = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) + ".md"
    return posixpath.relpath(address(other), posixpath.dirname(address(page)) or ".")


def _link_to_file(page: str, path: str) -> str:
    """Return the link from the twin of ``page`` to a file that lies beside ``page``, not beside its twin."""
    return posixpath.relpath(posixpath.join(posixpath.dirname(page), path), posixpath.dirname(address(page)) or ".")


def _value(call: str, lookup: Lookup) -> str:
    value = parse_value(call)
    record = lookup.find(value.name).record
    return parts.text_of(record, value) if record else "…"


def _block(mark: str, info: str, body: str, lookup: Lookup) -> str:
    if EXECUTED.search(info):
        try:
            lab = parse_lab(body)
            return _lab_part(lab) if lab else _embedded(parse_embed(body), lookup)
        except EmbedError as error:  # the page shows it, too, and "check" fails
            return str(error)
    code = _INCLUDED.sub(lambda match: _region(lookup.project, match["path"], match["region"]), body)
    return f"{mark}{info}\n{code}\n{mark}"


def _lab_part(part: LabPart) -> str:
    facts = find_lab(part.slug).facts
    if part.part == "question":
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
    how = f"recorded on {record.device}, {record.date[:10]}" if record.device != "cpu" else f"ran {record.date[:10]}"
    lead = f"Output of `{record.command}` ({how}, torch {record.torch}):"
    return f"{lead}\n\n{_fenced(printed, embed.language or 'text')}\n" if printed else f"{lead} nothing.\n"


def _fenced(code: str, language: str) -> str:
    longest = max((len(ticks) for ticks in re.findall(r"`+", code)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{language}\n{code.rstrip()}\n{mark}"


def _region(project: Project, path: str, name: str | None) -> str:
    """Return a file, or its lines between ``--8<-- [start:name]`` and ``--8<-- [end:name]``; without such marks."""
    text = (project.root / path).read_text(encoding="utf-8")
    if name:
        text = text.split(f"--8<-- [start:{name}]\n")[1].split(f"--8<-- [end:{name}]")[0]
        text = text.rpartition("\n")[0]  # without the comment sign before the mark of the end
    return textwrap.dedent(_MARK.sub("", text)).rstrip()


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
