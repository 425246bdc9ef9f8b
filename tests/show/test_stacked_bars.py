"""The parts of times as bars."""

import re

import pytest

from compile_lessons.show.charts import StackedBars

STACKED = StackedBars(
    ["matrix", "layout", "fused", "idle"], [("eager", [1e-3, 0.0, 0.0, 3e-3]), ("a<b", [1e-3, 0.0, 1e-3, 0.0])]
)


def test_the_parts_of_a_bar_follow_each_other() -> None:
    drawn = STACKED._repr_html_()
    parts = re.findall(r'<rect x="([^"]+)" y="(\d+)" width="([^"]+)".*?<title>([^<]+)<', drawn)
    assert [(x, width, title) for x, _, width, title in parts] == [
        ("0.00%", "25.00%", "matrix: 1 ms"),
        ("25.00%", "75.00%", "idle: 3 ms"),
        ("0.00%", "25.00%", "matrix: 1 ms"),
        ("25.00%", "25.00%", "fused: 1 ms"),
    ]
    assert ">eager, 4 ms<" in drawn and ">a&lt;b, 2 ms<" in drawn
    assert str(STACKED).splitlines()[-1].split() == ["a<b", "50%", "0%", "50%", "0%"]
    assert re.findall(r"</svg> ([^<]+)</span>", drawn) == ["matrix", "fused", "idle"], "no bar has a layout"


def test_a_total_that_was_measured_is_not_the_sum_of_rounded_parts() -> None:
    bars = StackedBars(["matrix", "idle"], [("int8", [2.62e-3, 0.51e-3])], [3.14e-3])
    assert ">int8, 3.14 ms<" in bars._repr_html_()


def test_more_parts_than_colors() -> None:
    with pytest.raises(ValueError, match="6 parts apart, and these are 7"):
        StackedBars(list("abcdefg"), [])
