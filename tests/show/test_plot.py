"""Plots: text without matplotlib, a drawing for each panel that follows the page's colors."""

import xml.etree.ElementTree as ElementTree

import pytest

from compile_lessons.show.charts import Plot

PLOT = Plot(
    {
        "MLP": {"eager": [(1, 70.0), (64, 80.0)], "default": [(1, 50.0), (64, 40.0)]},
        "CNN": {"eager": [(1, 170.0), (64, 9000.0)], "default": [(1, 150.0)]},
    },
    "batch size",
    "µs per call",
)


def words(svg: str) -> list[str]:
    return [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_text_is_a_table_for_each_panel():
    mlp, cnn = str(PLOT).split("\n\n")
    assert mlp.splitlines()[0] == "MLP: µs per call"
    assert mlp.splitlines()[-1].split() == ["64", "80", "40"]
    assert cnn.splitlines()[-1].split() == ["64", "9,000"]


def test_each_panel_is_a_drawing_whose_text_takes_the_color_of_the_page():
    page = PLOT._repr_html_()
    assert page.count('role="img"') == 2 and all(f"</svg> {name}</span>" in page for name in ("eager", "default"))
    svg = PLOT.svg("MLP")
    assert {"MLP", "batch size", "µs per call", "1", "64"} <= set(words(svg))
    assert "currentColor" in svg and "#0a0b0c" not in svg and "<?xml" not in svg


def test_panels_share_their_axes_and_a_drawing_holds_its_numbers():
    assert {"10", "100", "1,000", "10,000"} & set(words(PLOT.svg("MLP"))) == {"100", "1,000", "10,000"}
    described = ElementTree.fromstring(PLOT.svg("CNN")).find("{http://www.w3.org/2000/svg}desc")
    assert described.text.splitlines()[-1].split() == ["64", "9,000"]


def test_an_axis_from_zero_marks_each_size():
    rates = Plot({"product": {"library": [(1024, 405.0), (8192, 651.0)]}}, "size", "TFLOP/s", from_zero=True)
    assert {"0", "1024", "8192", "size", "TFLOP/s"} <= set(words(rates.svg("product")))
    assert "2048" not in words(rates.svg("product"))


def test_ids_differ_between_panels_and_the_same_panel_is_drawn_the_same():
    svgs = [PLOT.svg("MLP"), PLOT.svg("CNN"), Plot(PLOT.panels, "batch size", "MiB").svg("MLP")]
    ids = [{e.get("id") for e in ElementTree.fromstring(svg).iter() if e.get("id")} for svg in svgs]
    assert all(ids) and not ids[0] & ids[1] and not ids[0] & ids[2]
    assert PLOT.svg("MLP") == PLOT.svg("MLP")


def test_more_lines_than_looks_are_refused():
    with pytest.raises(ValueError, match="tells 5 lines apart, and this has 6"):
        Plot({"A": {f"line {n}": [(1, 1.0)] for n in range(6)}}, "size", "µs")
