"""What an embed puts on the page for each of its options, and for each thing that can be wrong."""

import re
import shutil
from pathlib import Path

import pytest
from small_site import FAILS, small_site, text_of

from compile_lessons.course.records.plan import plan
from compile_lessons.course.records.snippet import SnippetError
from compile_lessons.course.records.store import Store
from compile_lessons.course.site import embed
from compile_lessons.course.site.embed import embed_html, format_value
from compile_lessons.course.site.lookup import Lookup
from compile_lessons.course.site.parts import line_numbers
from compile_lessons.ground.project import Project

ALL = "part/all.py"


def snippet(name: str, **options: object) -> str:
    """The HTML of ``snippet("part/all.py", show="tabs")``, written on a page."""
    return embed_html(f"snippet({', '.join([repr(name), *(f'{key}={value!r}' for key, value in options.items())])})")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, small_site_cache: Path) -> Project:
    project = small_site(tmp_path_factory.mktemp("embed"), FAILS)
    shutil.copytree(small_site_cache, project.cache)
    return project


@pytest.fixture(autouse=True)
def lookup(project: Project, monkeypatch: pytest.MonkeyPatch) -> Lookup:
    """Every record is there: looking one up starts nothing."""
    lookup = Lookup(project, serving=False)
    monkeypatch.setattr(embed, "lookup", lambda: lookup)
    return lookup


def test_whole_file(project: Project) -> None:
    page = snippet(ALL)
    assert 'class="snippet-source"' in page and 'class="snippet-output" id=' in page
    text = text_of(page)
    assert "snippets/part/all.py" in text
    assert '"""All of it."""' in text and "/// lesson" not in text
    assert "first <line>\nsecond\n" in text
    assert '<table><thead><tr><th style="text-align: right" class="short">n</th>' in page
    assert page.index("second") < page.index("<table><thead>")


def test_provenance(project: Project) -> None:
    record = Store(project).get(plan(project, ALL).key)
    text = text_of(snippet(ALL, show="output"))
    assert "Ran when this page was built: python snippets/part/all.py" in text
    assert f"torch {record.torch}" in text
    assert record.date[:10] in text and record.isa in text
    notebook = "https://colab.research.google.com/github/compile-lessons/compile-lessons/blob/notebooks/part/all.ipynb"
    assert f'<a href="{notebook}">open in Colab</a>' in snippet(ALL, show="output")
    assert "ends with ValueError, as it should" in text_of(snippet("part/raises.py"))


def test_links_to_the_output_and_to_the_program(project: Project) -> None:
    page = snippet(ALL, show="output", lines="2-3")
    assert 'id="part-all-2-3"' in page and 'href="#part-all-2-3"' in page
    assert f'href="{project.address}/blob/main/snippets/part/all.py"' in page


def test_source_only_and_output_only() -> None:
    assert "snippet-output" not in snippet(ALL, show="source")
    assert "snippet-source" not in snippet(ALL, show="output")


def test_lines_are_numbered_as_in_the_file() -> None:
    page = snippet(ALL, show="source", region="body")
    assert text_of(page).strip().endswith("count = 3")
    assert re.findall(r'data-linenos="\s*(\d+)', page) == ["9"]
    whole = re.findall(r'data-linenos="\s*(\d+)', snippet(ALL, show="source"))
    assert whole[0] == "4"
    assert "# region" not in text_of(snippet(ALL, show="source")) and "8" not in whole  # the line that marks a region


def test_highlight() -> None:
    page = snippet(ALL, show="source", highlight="9 11-12")
    lit = re.findall(r'<span class="hll">(.*?\n)', page, re.S)
    assert [text_of(line).strip() for line in lit] == ["count = 3", 'print("first <line>")', 'print("second")']


@pytest.mark.parametrize("language", [None, "cpp"])
def test_marked_lines_of_an_output(language: str | None) -> None:
    page = snippet(ALL, show="output", language=language, mark="first <")
    lit = re.findall(r'<span class="hll">(.*?\n)', page, re.S)
    assert [text_of(line).strip() for line in lit] == ["first <line>"]
    assert text_of(page) == text_of(snippet(ALL, show="output", language=language))
    assert "no line of the output contains 'third', to be marked" in text_of(snippet(ALL, mark="third"))


def test_tabs() -> None:
    page = snippet(ALL, show="tabs")
    assert page.count('class="tabbed-block"') == 2
    assert ">Source</label>" in page and ">Output</label>" in page
    ids = re.findall(r'<input [^>]*id="([^"]+)"', page + snippet(ALL, show="tabs"))
    assert len(ids) == len(set(ids)) == 4


def test_collapsed_and_lines() -> None:
    page = snippet(ALL, show="output", collapsed=True)
    assert "<details" in page and "<summary>Output, 5 lines</summary>" in page
    assert "first <line>" not in text_of(snippet(ALL, show="output", lines="2"))
    assert "second\n" in text_of(snippet(ALL, show="output", lines="2-3"))


def test_lines_that_are_all_of_a_table_show_the_table() -> None:
    assert "<td" in snippet(ALL, show="output", lines="2-5")
    assert "<td" not in snippet(ALL, show="output", lines="4-5")


def test_language_colors_the_output_and_keeps_its_text() -> None:
    plain, colored = (snippet(ALL, show="output", **options) for options in ({}, {"language": "cpp"}))
    assert text_of(colored) == text_of(plain)
    assert '<span class="' in colored and "language-cpp" in colored


def test_silent() -> None:
    assert "It prints nothing." in snippet("part/silent.py")


def test_traceback_on_purpose() -> None:
    page = snippet("part/prints_traceback.py")
    assert "snippet-failure" not in page
    assert 'File "snippets/part/prints_traceback.py", line 4' in text_of(page)


def test_failed_snippet_shows_beside_its_source() -> None:
    page = snippet("part/fails.py", show="source")
    assert 'class="snippet-source"' in page and "raised RuntimeError: broken" in text_of(page)


def test_failed_snippet_shows_in_place() -> None:
    page = snippet("part/fails.py")
    assert 'class="admonition failure snippet-failure" data-snippet="part/fails.py"' in page
    text = text_of(page)
    assert "This snippet failed: snippets/part/fails.py, line 2" in text
    assert "raised RuntimeError: broken" in text
    assert "Fix: correct it, or declare the exception" in text
    assert "so far\n" in text


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("part/al.py", {}, "snippets/part/al.py: no such file; did you mean part/all.py?"),
        ("part", {}, "snippets/part: cannot be read"),
        (ALL, {"region": "none"}, "no region 'none'; it has body"),
        (ALL, {"show": "all"}, "Invalid enum value 'all' - at `show`"),
        (ALL, {"language": "fortran"}, "Invalid enum value 'fortran' - at `language`"),
        (ALL, {"highlight": "1"}, "highlight 1 is not among the lines shown, 4 to"),
        (ALL, {"highlight": "x"}, "'x' is not a line or a range of lines"),
        (ALL, {"lines": "99"}, "its output has 5 lines, no line 99"),
    ],
)
def test_what_cannot_be_shown(name: str, options: dict[str, str], message: str) -> None:
    page = snippet(name, **options)
    assert 'snippet-failure" data-snippet="' in page and name in page
    assert message in text_of(page)
    assert "snippet-source" not in page


def test_a_line_that_is_no_embed() -> None:
    page = embed_html("print('typed')")
    assert 'snippet-failure" data-snippet="print(&#x27;typed&#x27;)"' in page
    assert "an executed block holds one line" in text_of(page)


def test_checks_are_folded() -> None:
    page = snippet("part/checked.py", show="source")
    program, checks = page.split('<details class="snippet-checks">')
    assert text_of(program).strip().endswith("total = 3")
    assert 'aria-label="checked: 2 statements of part/checked.py">checked: 2 statements</summary>' in checks
    assert "assert total == 3\nassert total > 0" in text_of(checks)
    assert re.findall(r'data-linenos="\s*(\d+)', checks) == ["6", "7"]
    assert "highlight 6 is not among the lines shown, 1 to 3" in text_of(snippet("part/checked.py", highlight="6"))
    assert "snippet-checks" in snippet("part/checked.py", show="tabs")
    page = snippet("part/checked.py")
    assert page.index("snippet-output") < page.index("snippet-provenance") < page.index("snippet-checks")


def test_checks_where_the_program_is_not_shown() -> None:
    assert "snippet-checks" not in snippet("part/checked.py", show="output")
    region = snippet("part/checked.py", show="source", region="checks")
    assert "assert total == 3" in text_of(region) and "snippet-checks" not in region


@pytest.mark.parametrize(
    ("call", "css", "text"),
    [
        (f"{ALL}:count", "snippet-value", "3"),
        (f"{ALL}:ratio:.1f", "snippet-value", "2.3"),
        (f"{ALL}:word", "snippet-value", "a<b"),
        (f"{ALL}:nothing", "snippet-failure", f"? {ALL}:nothing"),
        (f"{ALL}:word:.1f", "snippet-failure", f"? {ALL}:word:.1f"),
        ("part/fails.py:x", "snippet-failure", "? part/fails.py:x"),
        ("gone.py:x", "snippet-failure", "? gone.py:x"),
    ],
)
def test_value(call: str, css: str, text: str) -> None:
    page = format_value(call, "value", "value", None)
    assert f'class="{css}"' in page
    assert text_of(page) == text


def test_value_that_is_not_there_names_those_that_are() -> None:
    assert "no value &#x27;nothing&#x27; at its end; it has count, ratio, word" in format_value(
        f"{ALL}:nothing", "value", "value", None
    )


def test_a_warning_says_where_the_embed_stands(project: Project, caplog) -> None:
    page = project.docs / "part" / "page.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("Text.\n\nA `#!value gone.py:x`.\n")
    format_value("gone.py:x", "value", "value", None)
    assert caplog.messages == ["docs/part/page.md:3: snippets/gone.py: no such file"]


def test_line_numbers() -> None:
    assert line_numbers("3 5-7", "a.py") == [3, 5, 6, 7]
    assert line_numbers("", "a.py") == []
    for wrong in ("0", "x", "3-", "1,2", "-1", "5-3"):
        with pytest.raises(SnippetError, match="not a line or a range"):
            line_numbers(wrong, "a.py")
