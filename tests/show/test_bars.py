"""Times as bars."""

import re

import pytest

from compile_lessons.show.charts import Bars, Plot, StackedBars
from compile_lessons.show.table import duration

QUARTERS = (1e-3, 2e-3, 3e-3)


def test_bars_of_one_function_stand_together() -> None:
    labels = ("gelu, eager", "gelu, compiled", "softmax, eager", "a<b", "a<b")
    drawn = Bars([(label, QUARTERS) for label in labels]).svg()
    texts = re.findall(r">([^<>]+)</text>", drawn)
    assert texts == ["gelu", "2 ms, eager", "2 ms, compiled", "softmax", "2 ms, eager", "a&lt;b", "2 ms", "2 ms"]
    assert "currentColor" in drawn


def test_quartiles_that_are_too_close_to_see_are_not_drawn() -> None:
    drawn = Bars([("close", (1.0, 1.001, 1.002)), ("apart", (1.0, 1.1, 1.2))]).svg()
    assert drawn.count("<line") == 1


def test_a_chart_read_from_its_data_is_drawn_the_same() -> None:
    charts = (
        Bars([("gelu, eager", QUARTERS)]),
        StackedBars(["compile", "run"], [("gelu", [1.0, 2.0])]),
        Plot({"size": {"eager": [(1, 2.0), (2, 3.0)]}}, "n", "ms"),
    )
    for chart in charts:
        again = type(chart).from_json(chart.to_json())
        assert str(again) == str(chart) and again._repr_html_() == chart._repr_html_()


def test_as_text() -> None:
    assert str(Bars([("gelu, eager", QUARTERS)])).splitlines()[-1] == "gelu, eager    2 ms"


@pytest.mark.parametrize(("seconds", "text"), [(2.0, "2 s"), (0.0031, "3.1 ms"), (4e-6, "4 µs"), (5e-8, "50 ns")])
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text
