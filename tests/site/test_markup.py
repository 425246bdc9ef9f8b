"""The HTML of a snippet's source and of what it printed."""

from __future__ import annotations

import re

import pytest

from compile_lessons.records.record import Output
from compile_lessons.site import markup
from compile_lessons.site.pages import Embed
from compile_lessons.site.parts import Source


def test_marks_of_regions_leave_no_gap() -> None:
    shown = markup.source(Source("a.py", "a = 1\n\n\n# endregion\n\n\nb = 2\n", 8))
    assert re.findall(r'data-linenos="\s*(\d+) "', shown) == ["8", "9", "10", "14"]
    assert "region" not in shown


@pytest.mark.parametrize(
    ("text", "aligned"),
    [
        ("sum     3 calls\nproduct 1 call\nmean    2 calls\nrow     4 calls\n", True),
        ("a sentence\nand a second one, with one  wide space\n", False),
        ("a  b\nc  d\n" + "a message of torch " * 20, False),
        ("", False),
    ],
)
def test_columns_do_not_wrap(text: str, aligned: bool) -> None:
    assert ("snippet-aligned" in markup._one(Output(text=text), Embed("a.py").language)) is aligned
