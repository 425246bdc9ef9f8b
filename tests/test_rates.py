"""Rates by size: an axis from 0, a mark for each size."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from compile_lessons.rates import Rates

RATES = Rates({"product": {"library": [(1024, 405.0), (8192, 651.0)], "by hand": [(1024, 153.0)]}}, "size", "TFLOP/s")


def test_the_axis_begins_at_zero_and_marks_each_size() -> None:
    words = [text.text for text in ElementTree.fromstring(RATES.svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert {"0", "1024", "8192", "library", "by hand", "size", "TFLOP/s"} <= set(words)
    assert "2048" not in words


def test_text_and_name_are_those_of_a_plot() -> None:
    assert str(RATES).splitlines()[-1].split() == ["8192", "651"]
    assert "<title>TFLOP/s by size</title>" in RATES.svg() and "currentColor" in RATES.svg()
