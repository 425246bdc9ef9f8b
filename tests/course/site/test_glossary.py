"""On a lesson's page, the first use of a term links to its definition; the glossary's page is the only source."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from markdown import Markdown

from compile_lessons.course.site import glossary
from compile_lessons.course.site.glossary import Term, read_terms

DOCS = Path(__file__).parents[3] / "docs"
TERMS = read_terms((DOCS / glossary.PAGE).read_text(encoding="utf-8"))
LINK = re.compile(r'<a class="term" href="([^"]+)" title="([^"]+)">([^<]+)</a>')


def convert(text: str, page: str = "dynamo/guards.md") -> str:
    """Convert a page as MkDocs does: it registers an object that knows the page."""
    md = Markdown(extensions=["admonition", "attr_list", "def_list", "tables", "compile_lessons.course.site.glossary"])
    relative_links = SimpleNamespace(file=SimpleNamespace(src_uri=page), run=lambda root: None)
    md.treeprocessors.register(relative_links, "relpath", 0)  # type: ignore[arg-type]
    return md.convert(text)


def marked(text: str) -> list[str]:
    return [match[3] for match in LINK.finditer(convert(text))]


def test_only_the_first_use_is_linked() -> None:
    html = convert("A guard fails. Another guard holds.\n\nGuards are *cheap*, and a graph break isn't.")
    assert [match[3] for match in LINK.finditer(html)] == ["guard", "graph break"]
    address, definition, _ = LINK.search(html).groups()  # type: ignore[union-attr]
    assert address == "../reference/glossary.md#guard" and definition.startswith("A condition that must hold")
    assert "holds.</p>" in html and "isn't.</p>" in html


def test_text_around_several_links_stays_in_order() -> None:
    html = convert("First *a guard*, then a graph break, then Dynamo and `x`, then eager mode.")
    assert re.sub("<[^>]+>", "", html) == "First a guard, then a graph break, then Dynamo and x, then eager mode."
    assert len(LINK.findall(html)) == 4


def test_headings_code_links_tables_and_titles_are_left_alone() -> None:
    assert marked("# Guards\n\n`guard` and [a guard](guards.md)\n\n| guard |\n| --- |\n| guard |") == []
    assert marked('!!! note "A guard"\n    A graph break.') == ["graph break"]
    assert marked("9 minutes, builds on guards\n{ .lesson-facts }") == []


def test_a_longer_term_wins_and_plurals_and_synonyms_count_as_the_term() -> None:
    assert marked("A guard tree, and guards.") == ["guard tree", "guards"]
    assert marked("A recompilation, and recompiles.") == ["recompilation"]
    assert marked("The word guarded, safeguards, guard.py and vanguard don't count.") == []
    assert marked("A graph\nbreak is found across lines.") == ["graph\nbreak"]


def test_a_phrase_in_which_the_word_means_something_else_is_skipped() -> None:
    assert marked("A device guard, device guards and sliding frames, then a guard.") == ["guard"]


def test_unmarked_terms_are_in_the_glossary_only() -> None:
    assert any(term.names == ("Mode",) and not term.marked for term in TERMS)
    assert marked("A mode and a kernel.") == []


@pytest.mark.parametrize("page", ["reference/inductor-options.md", "index.md", glossary.PAGE])
def test_pages_that_are_no_lessons_have_no_links(page: str) -> None:
    assert not LINK.search(convert("A guard.", page))


def test_definitions_have_an_address_on_the_glossarys_page() -> None:
    html = convert((DOCS / glossary.PAGE).read_text(encoding="utf-8"), glossary.PAGE)
    for term in TERMS:
        assert re.search(f'<dt [^>]*id="{term.anchor}"', html), term


def test_each_definition_has_one_or_two_sentences_and_a_lesson_that_exists() -> None:
    text = (DOCS / glossary.PAGE).read_text(encoding="utf-8")
    for term in TERMS:
        assert 1 <= len(re.findall(r"[.]( |$)", term.definition)) <= 3, term
        assert '"' not in term.definition
    links = re.findall(r"\]\((\.\./[\w/-]+\.md)\)", text)
    assert len(links) == len(TERMS) and all((DOCS / "reference" / link).exists() for link in links)


def test_terms_are_in_alphabetical_order_and_their_names_differ() -> None:
    first = [term.names[0].lower() for term in TERMS]
    assert first == sorted(first)
    names = [name.lower() for term in TERMS for name in term.names]
    assert len(names) == len(set(names)) and len(TERMS) >= 60


def test_a_definition_without_a_lesson_is_an_error() -> None:
    assert read_terms("Word\n:   Meaning. [Lesson](../a.md)") == [Term(("Word",), "word", "Meaning.")]
    with pytest.raises(ValueError, match="'Word' has no link to a lesson"):
        read_terms("Word\n:   Meaning.")


def test_outside_mkdocs_and_zensical_nothing_is_linked() -> None:
    assert not LINK.search(Markdown(extensions=["compile_lessons.course.site.glossary"]).convert("A guard."))
