"""Plots: text without matplotlib, SVG that follows the page's colors."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from compile_lessons.plot import Plot

PLOT = Plot(
    {
        "MLP": {"eager": [(1, 70.0), (64, 80.0)], "default": [(1, 50.0), (64, 40.0)]},
        "CNN": {"eager": [(1, 170.0), (64, 9000.0)], "default": [(1, 150.0)]},
    },
    "batch size",
    "µs per call",
)


def test_the_text_is_a_table_for_each_panel():
    mlp, cnn = str(PLOT).split("\n\n")
    assert mlp.splitlines()[0] == "MLP: µs per call"
    assert mlp.splitlines()[-1].split() == ["64", "80", "40"]
    assert cnn.splitlines()[-1].split() == ["64", "9,000"]


def test_text_takes_the_color_of_the_page():
    svg = PLOT.svg()
    root = ElementTree.fromstring(svg)
    words = "".join(root.itertext())
    assert all(word in words for word in ("MLP", "CNN", "eager", "default", "batch size", "µs per call"))
    assert "currentColor" in svg and "#0a0b0c" not in svg and "<?xml" not in svg


def test_ids_differ_between_two_plots_and_the_same_plot_is_drawn_the_same():
    other = Plot(PLOT.panels, "batch size", "MiB")
    ids = [{e.get("id") for e in ElementTree.fromstring(p.svg()).iter() if e.get("id")} for p in (PLOT, other)]
    assert ids[0] and not ids[0] & ids[1]
    assert PLOT.svg() == PLOT.svg()
