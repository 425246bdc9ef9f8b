"""Boxes and arrows, as text and as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from compile_lessons import Diagram

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def diagram() -> Diagram:
    return Diagram(
        {"x": "x", "sin": "sin", "mul": "mul\n<float>"},
        [("x", "sin"), ("x", "mul"), ("sin", "mul")],
        {"x": "input", "sin": "saved for backward"},
    )


def test_text_names_groups_and_targets(diagram: Diagram) -> None:
    assert str(diagram).splitlines() == [
        "x [input] -> sin, mul <float>",
        "sin [saved for backward] -> mul <float>",
        "mul <float>",
    ]


def test_svg_has_a_box_a_node_and_an_arrow_an_edge(diagram: Diagram) -> None:
    root = ElementTree.fromstring(diagram.svg())
    boxes = [rect for rect in root.iter(f"{SVG}rect") if "stroke" in rect.attrib]
    assert len(boxes) == len(diagram.nodes)
    assert len([path for path in root.iter(f"{SVG}path") if "marker-end" in path.attrib]) == len(diagram.edges)
    assert [text.text for text in root.iter(f"{SVG}text")] == [
        "x",
        "sin",
        "mul",
        "<float>",
        "input",
        "saved for backward",
    ]


def test_an_arrow_leads_down(diagram: Diagram) -> None:
    boxes, width, height = diagram._layout()
    assert all(boxes[a][1] < boxes[b][1] for a, b in diagram.edges)
    assert all(x >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes.values())


def test_an_edge_to_nowhere_and_a_cycle_are_refused() -> None:
    with pytest.raises(ValueError, match="not there: b"):
        Diagram({"a": "a"}, [("a", "b")])
    with pytest.raises(ValueError, match="cycle"):
        Diagram({"a": "a", "b": "b"}, [("a", "b"), ("b", "a")])


def test_boxes_of_different_heights_in_one_layer() -> None:
    tall = Diagram({"a": "a", "b": "b\nb\nb\nb", "c": "c"}, [("a", "c"), ("b", "c")])
    assert ElementTree.fromstring(tall.svg()).tag == f"{SVG}svg"
