"""A Markdown extension: on each lesson's page, the first use of a term links to its definition in the glossary.

The glossary's page is the only source of terms and definitions. It is a definition list; several names may share one
definition, the sentences before the link are the tooltip. After a name, ``{ .unmarked }`` leaves it without links, and
``{ data-not="device guard" }`` does so for phrases, divided by commas, in which the word means something else.
"""

import functools
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import markdown
from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from compile_lessons.ground.project import find_project

PAGE = "reference/glossary.md"
#: Terms are linked in the text of these elements …
_PROSE = ("p", "li", "dd")
#: … but not inside these, which are links themselves, code or titles,
_NO_PROSE = ("a", "code", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "summary", "table")
#: or have one of these classes.
_NO_PROSE_CLASSES = ("lesson-facts", "admonition-title")


@dataclass(frozen=True)
class Term:
    """An entry of the glossary: its names, the id of its definition there, and the definition as plain text.

    In the phrases ``other_senses`` a name means something else.
    """

    names: tuple[str, ...]
    anchor: str
    definition: str
    marked: bool = True
    other_senses: tuple[str, ...] = ()


def read_terms(text: str) -> list[Term]:
    """Read the glossary's page. Raises ``ValueError`` for a definition without a link to a lesson."""
    html = markdown.markdown(text, extensions=["attr_list", "def_list"])
    terms: list[Term] = []
    names: list[ElementTree.Element] = []
    for element in ElementTree.fromstring(f"<div>{html}</div>").iter():
        if element.tag == "dt":
            names.append(element)
        elif element.tag == "dd":
            definition, link = "".join(_before_link(element)).strip(), element.find(".//a")
            texts = tuple("".join(name.itertext()) for name in names)
            if link is None:
                raise ValueError(f"{PAGE}: the definition of {texts[0]!r} has no link to a lesson")
            marked = not any("unmarked" in name.get("class", "") for name in names)
            other_senses = tuple(phrase for name in names for phrase in name.get("data-not", "").split(", ") if phrase)
            terms.append(Term(texts, anchor_of(texts[0]), definition, marked, other_senses))
            names = []
    return terms


def anchor_of(name: str) -> str:
    """Return the id that a name's definition has on the glossary's page."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _before_link(element: ElementTree.Element) -> Iterator[str]:
    """Yield the text of an element up to its first link."""
    yield element.text or ""
    for child in element:
        if child.tag == "a":
            return
        yield from child.itertext()
        yield child.tail or ""


@functools.lru_cache(maxsize=1)
def _marked_terms(path: Path, modified: float) -> tuple[dict[str, Term | None], re.Pattern[str]]:
    """Return the terms by name in lower case, and a pattern of all names, its one group, longer ones first.

    A phrase in which a name means something else counts as a name, of no term.
    """
    terms = [term for term in read_terms(path.read_text(encoding="utf-8")) if term.marked]
    named: list[tuple[str, Term | None]] = [(phrase, None) for term in terms for phrase in term.other_senses]
    named += [(name, term) for term in terms for name in term.names]
    by_name = {name.lower(): term for name, term in named}
    patterns = [_pattern(name) for name, _ in sorted(named, key=lambda entry: len(entry[0]), reverse=True)]
    return by_name, re.compile(rf"(?<![\w./-])({'|'.join(patterns)})(?![\w-]|\.\w)")


def _pattern(name: str) -> str:
    """Return a pattern of a name in the singular and plural, with either case of a first letter that begins a word."""
    first, rest = name[0], r"\s+".join(re.escape(word) for word in name[1:].split(" "))
    either = f"[{first}{first.lower()}]" if name[1:].islower() else re.escape(first)
    return f"{either}{rest}s?"


class _FirstUses(Treeprocessor):
    def run(self, root: ElementTree.Element) -> None:
        page = page_of(self.md)
        if page == PAGE:
            for name in root.iter("dt"):
                name.set("id", anchor_of("".join(name.itertext())))
        if page is None or "/" not in page or page.startswith("reference/"):
            return  # a term is linked in lessons; the reference is for readers who know the terms
        path = find_project().docs / PAGE
        if path.exists():  # the small sites of the tests have no glossary
            self._terms, self._names = _marked_terms(path, path.stat().st_mtime)
            self._glossary = posixpath.relpath(PAGE, posixpath.dirname(page))
            self._used: set[Term] = set()
            self._visit(root, prose=False)

    def _visit(self, element: ElementTree.Element, prose: bool) -> None:
        """Link the terms in an element's text, in the order in which it is read."""
        prose = prose or element.tag in _PROSE
        children = list(element)
        for child in children:
            element.remove(child)
        element.text = self._link(element, element.text, prose)
        for child in children:
            element.append(child)
            after, child.tail = child.tail, None
            if child.tag not in _NO_PROSE and child.get("class") not in _NO_PROSE_CLASSES:
                self._visit(child, prose)
            child.tail = self._link(element, after, prose)

    def _link(self, parent: ElementTree.Element, text: str | None, prose: bool) -> str | None:
        """Append a link for each term that ``text`` is the first to use; return the text before these links."""
        if not text or not prose:
            return text
        before, *rest = self._names.split(text)  # text, name, text, name, …, text
        link = None
        for name, after in zip(rest[::2], rest[1::2], strict=True):
            term = self._term(name)
            if term and term not in self._used:
                self._used.add(term)
                address = f"{self._glossary}#{term.anchor}"
                link = ElementTree.SubElement(parent, "a", {"class": "term", "href": address, "title": term.definition})
                link.text, link.tail = name, after
            elif link is None:
                before += name + after
            else:
                link.tail = f"{link.tail}{name}{after}"
        return before

    def _term(self, text: str) -> Term | None:
        name = " ".join(text.lower().split())
        return self._terms[name] if name in self._terms else self._terms[name.removesuffix("s")]


def page_of(md: Markdown) -> str | None:
    """Return the page that is being converted, below ``docs/``, or ``None`` outside MkDocs and Zensical.

    Neither tells an extension, but both register an object of their own that knows.
    """
    if "relpath" in md.treeprocessors:
        return str(md.treeprocessors["relpath"].file.src_uri)
    if "rendering_context" in md.preprocessors:
        return str(md.preprocessors["rendering_context"].page.path)
    return None


class Glossary(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        # After attr_list (8), which sets classes and ids; before MkDocs collects ids (5) and makes links relative (0).
        md.treeprocessors.register(_FirstUses(md), "glossary", 6)


def makeExtension(**settings: Any) -> Glossary:
    """Return the extension; Markdown calls this."""
    return Glossary(**settings)
