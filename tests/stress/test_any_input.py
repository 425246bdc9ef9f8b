"""Records, the scrubber, regions and escaping, on inputs that hypothesis makes up."""

import tempfile
import textwrap
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compile_lessons.course.records.record import SCHEMA, Output, Record
from compile_lessons.course.records.scrub import machine_paths, scrub
from compile_lessons.course.records.snippet import Declared, Snippet
from compile_lessons.course.site import markup
from compile_lessons.course.site.pages import Embed

pytestmark = pytest.mark.nightly
often = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])

VALUES = st.dictionaries(st.text(), st.integers() | st.floats() | st.booleans() | st.text())
RECORDS = st.builds(Record, schema=st.just(SCHEMA), values=VALUES)


@often
@given(RECORDS)
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    text = record.to_json()
    assert Record.from_json(text).to_json() == text  # the text, as a number may be NaN, which equals nothing


@often
@given(RECORDS, st.data())
def test_a_record_that_was_cut_short_is_none(record: Record, data: st.DataObject) -> None:
    text = record.to_json()
    with pytest.raises(ValueError):
        Record.from_json(text[: data.draw(st.integers(0, len(text) - 1))])


ROOT, CACHE = Path("/home/ada/course"), Path("/home/ada/course/.lessons-cache/runs/tmpab12cd_9/x/inductor")
PARTS = [
    f"{ROOT}/snippets/a.py",
    str(ROOT),
    f"{CACHE}/ab/c.cpp",
    str(Path.home()),
    f"{tempfile.gettempdir()}/tmpab12cd_9",
]
PARTS += [
    "0x7f3a12bc4d50",
    "pid 1234",
    "ada/course/snippets/a.py",
    'File "',
    '", line 3',
    "/",
    "a",
    ":",
    " ",
    "\n",
    "'",
    "…",
]


@often
@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=12).map("".join))
def test_what_is_scrubbed_names_no_path_of_this_machine(text: str) -> None:
    clean = scrub(text, ROOT, CACHE)
    assert list(machine_paths(clean, ROOT)) == []


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, dict[str, tuple[str, int]]]:
    """A program with regions, one after the other; the text of each, and its first line."""
    lines: list[str] = []
    regions: dict[str, tuple[str, int]] = {}
    body = st.lists(st.sampled_from(["x = 1", "    y = 2", "", "# region of lines", "print('# region z')"]))
    for _ in range(draw(st.integers(0, 4))):
        lines += draw(body)
        name, indent, inside = f"r{len(regions)}", " " * 4 * draw(st.integers(0, 1)), draw(body)
        regions[name] = textwrap.dedent("".join(f"{line}\n" for line in inside)), len(lines) + 2
        lines += [f"{indent}# region {name}", *inside, f"{indent}# endregion"]
    return "\n".join(lines) + "\n", regions


@often
@given(programs(), st.integers(1, 9))
def test_a_region_is_what_stands_between_its_marks(made: tuple[str, dict[str, tuple[str, int]]], first: int) -> None:
    code, regions = made
    snippet = Snippet("a.py", Path("a.py"), code, first, Declared())
    for name, (text, line) in regions.items():
        assert snippet.region(name) == (text, first + line - 1)


@often
@given(st.text())
def test_a_page_shows_a_text_as_it_was_printed(text: str) -> None:
    assume("\r" not in text)  # a browser reads "\r" as "\n"
    page = BeautifulSoup(markup._printed(text), "html.parser")
    assert page.code.get_text() == text and not page.code.find_all()
    value = BeautifulSoup(markup.inline(text, "snippet-value", text), "html.parser")
    assert value.span.get_text() == text and value.span["title"] == text and len(value.find_all()) == 1


@often
@given(RECORDS, st.text(min_size=1), st.sampled_from([None, "python", "cpp", "ptx", "json"]))
def test_an_output_can_not_end_its_place_on_the_page(record: Record, text: str, language: str | None) -> None:
    assume(text.strip() and "\r" not in text)
    html = markup.output(record, [Output(text)], Embed("a.py", language=language), None, None)
    page = BeautifulSoup(html, "html.parser")
    assert [tag.name for tag in page.find_all(recursive=False)] == ["div", "details"]
    assert {tag.name for tag in page.code.find_all()} <= {"span"}
