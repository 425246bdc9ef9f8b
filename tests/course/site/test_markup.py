"""The HTML of a snippet's source and of what it printed."""

import html
import re

import pytest

from compile_lessons.course.records.progress import RunProgress
from compile_lessons.course.records.record import Output
from compile_lessons.course.site import markup
from compile_lessons.course.site.parts import Source
from compile_lessons.show.charts import Bars, Timeline


def test_a_sign_stands_for_lines_that_are_left_out() -> None:
    shown = markup.source(Source("a.py", "a = 1\n\n\n# endregion\n\n\nb = 2\n\nc = 3\n", 8))
    assert re.findall(r'data-linenos="(.*?)"', shown) == [" 8 ", " … ", "14 ", "15 ", "16 "]
    assert "region" not in shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("sum     3 calls\nproduct 1 call\nmean    2 calls\nrow     4 calls\n", "snippet-aligned"),
        ("a sentence\nand a second one, with one  wide space\n", None),
        ("frame  function\n-----  --------\n    0  loss\n" + "a sentence below\n" * 5, "snippet-aligned"),
        ("a  b\nc  d\n" + "a message of torch " * 20, None),
        (f"{'a':>90}  {'b':>90}\n{'-' * 90}  {'-' * 90}\n{'c':>90}  {'d':>90}\n", "snippet-aligned"),
        (f"frame  function\n-----  --------\n    0  loss\n\n{'a message of torch ' * 5}\n", None),
        ("TREE:\n+- Root\n| +- GUARD: a == 2\n| | +- LAMBDA: b\n", "snippet-tree"),
        ("a sentence\n+- b\n", None),
        ("", None),
    ],
)
def test_columns_and_trees_do_not_wrap(text: str, kind: str | None) -> None:
    assert re.findall('<pre class="([^"]*)', markup._one(Output(text=text), None, None)) == ([kind] if kind else [])


def test_a_table_among_long_lines_scrolls_by_itself() -> None:
    text = f"{'a message ' * 6}\nkernels:\nframe  function\n-----  --------\n    0  loss\n\n{'another one ' * 6}\n"
    shown = markup._one(Output(text=text), None, None)
    table = re.search('<span class="snippet-table" style="--columns: 15">(.*?)</span>', shown, re.DOTALL)
    assert table and table[1] == "frame  function\n-----  --------\n    0  loss\n"
    assert shown.count("--text") == 3 and html.unescape(re.sub("<.*?>", "", shown)) == text


def test_a_long_line_knows_where_its_text_begins() -> None:
    """It goes on below it."""
    long = "a == 2, " * 8
    tree = markup._one(Output(text=f"TREE:\n+- Root\n| +- GUARD: {long}\n"), None, None)
    assert re.findall(r"--text: (\d+)\">(\W*)", tree) == [("2", ""), ("3", "+- "), ("5", "| +- ")]
    message = markup._one(Output(text=f"Error: {long}\n  because {long}\n"), None, None)
    assert re.findall(r"--text: (\d+)\">( *)\w", message) == [("2", ""), ("4", "  ")]
    assert "--text" not in markup._one(Output(text="Error: short\n  because\n"), None, None)


def test_the_line_from_quartile_to_quartile_is_explained_where_bars_have_one() -> None:
    bars = Bars([("gelu", (1.0, 2.0, 3.0))])
    timeline = Timeline(["run"], [("gelu", [("run", 0.0, 1.0)])])
    shown = [markup._one(Output(text="", rich={one.MIME: one.to_json()}), None, None) for one in (bars, timeline)]
    assert ["from quartile to quartile" in one for one in shown] == [True, False]


def test_a_drawing_without_a_description_has_the_text_of_its_output() -> None:
    svg = '<svg role="img" width="9"><path/></svg>'
    assert "<desc>a &lt; \\1</desc><path/>" in markup._describe_drawing(svg, "a < \\1")
    told = '<svg role="img"><desc>bars</desc></svg>'
    assert markup._describe_drawing(told, "text") == told


@pytest.mark.parametrize(
    ("drawings", "names"),
    [
        ([], []),
        (["Boxes"], ['"A &lt;title&gt;"']),
        (["1", "2"], ['"A &lt;title&gt;, 1 of 2"', '"A &lt;title&gt;, 2 of 2"']),
    ],
)
def test_drawings_are_named_after_their_program(drawings: list[str], names: list[str]) -> None:
    svg = "".join(f'<svg width="661" role="img"><title>{name}</title><svg/></svg> and ' for name in drawings)
    named = markup._name_drawings(f"<p>{svg}</p>", "A <title>")
    assert re.findall(r"aria-label=([^ ]*\"[^\"]*\")", named) == names
    assert re.sub(r' aria-label="[^"]*"', "", named) == f"<p>{svg}</p>"


def test_several_drawings_stand_side_by_side_each_with_its_text() -> None:
    drawing = Output(text="", rich={"image/svg+xml": '<svg role="img" width="300"></svg>'})
    words = [Output(text=f"{name}\n") for name in ("one", "two", "three")]
    shown = markup._outputs([words[0], words[1], drawing, drawing, words[2]], None, None)
    first, *drawings = re.split('<div class="snippet-drawing">', shown)
    assert first.startswith('<div class="snippet-drawings">') and "one" in first and "two" in drawings[0]
    assert len(drawings) == 2 and drawings[1].index("</svg>") < drawings[1].index("three")
    assert "snippet-drawing" not in markup._outputs([words[0], drawing], None, None)
    assert '<svg class="small"' in markup._name_drawings(shown, "A title")


def test_a_page_tells_queued_from_running_and_counts() -> None:
    progress = RunProgress(ended=4, left=5, running=["a.py"], begun=True)
    count = '; <span class="snippet-progress">4 of 9 snippets are done</span>.'
    assert f'">Running</p><p>snippets/a.py runs now{count}' in markup.pending("a.py", True, progress)
    assert f'">Queued</p><p>snippets/b.py is one of the next{count}' in markup.pending("b.py", False, progress)
    assert '">Queued</p><p>snippets/b.py is one of the next. The' in markup.pending("b.py", False, None)
    assert "torch is being loaded" in markup.pending("b.py", False, RunProgress(ended=4, left=5))
