"""Boxes and arrows, as text and as SVG."""

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
    boxes = [rect for rect in root.iter(f"{SVG}rect") if rect.attrib["rx"] == "4"]
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
    boxes, _, width, height = diagram._layout()
    assert all(boxes[a][1] < boxes[b][1] for a, b in diagram.edges)
    assert all(x >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes.values())


def test_an_edge_that_passes_layers_passes_beside_their_boxes() -> None:
    chain = Diagram(dict.fromkeys("abcd", "wide box"), [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("b", "d")])
    boxes, lanes, _, _ = chain._layout()
    assert len(lanes["a", "d"]) == 2 and len(lanes["b", "d"]) == 1 and lanes["a", "b"] == []
    for lane in [lane for path in lanes.values() for lane in path]:
        [box] = [box for box in boxes.values() if box[1] == lane[1]]
        assert lane[0] + lane[2] <= box[0] or lane[0] >= box[0] + box[2]


def test_a_legend_has_the_style_of_its_boxes_and_a_role_the_same_in_every_diagram() -> None:
    first = Diagram({"a": "a", "b": "b"}, [], {"b": "backward graph", "a": "forward graph"})
    second = Diagram({"b": "b", "c": "c"}, [], {"b": "backward graph", "c": "input"})
    styles = []
    for diagram in (first, second):
        rects = list(ElementTree.fromstring(diagram.svg()).iter(f"{SVG}rect"))
        drawn = [(rect.attrib["stroke"], rect.attrib["stroke-dasharray"]) for rect in rects]
        assert drawn[:2] == drawn[2:] and drawn[0] != drawn[1] and drawn[0][1] != drawn[1][1]
        styles.append(drawn)
    assert styles[0][1] == styles[1][0]


def test_an_edge_to_nowhere_and_a_cycle_are_refused() -> None:
    with pytest.raises(ValueError, match="not there: b"):
        Diagram({"a": "a"}, [("a", "b")])
    with pytest.raises(ValueError, match="cycle"):
        Diagram({"a": "a", "b": "b"}, [("a", "b"), ("b", "a")])


def test_boxes_of_different_heights_in_one_layer() -> None:
    tall = Diagram({"a": "a", "b": "b\nb\nb\nb", "c": "c"}, [("a", "c"), ("b", "c")])
    assert ElementTree.fromstring(tall.svg()).tag == f"{SVG}svg"


def test_a_frame_is_around_its_boxes_and_edges_between_frames_are_drawn_once() -> None:
    framed = Diagram(
        {"x": "x", "sum": "sum", "exp": "exp", "mm": "mm"},
        [("x", "sum"), ("x", "exp"), ("sum", "exp"), ("sum", "mm"), ("exp", "mm")],
        {"library": "extern"},
        {"sum": "kernel\nfused", "exp": "kernel\nfused", "mm": "library"},
    )
    boxes, lanes, width, height = framed._layout()
    assert list(lanes) == [("x", "kernel\nfused"), ("kernel\nfused", "library"), ("sum", "exp")]
    for name, frame in framed.frames.items():
        (x, y, w, h), (left, top, wide, high) = boxes[name], boxes[frame]
        assert left < x and x + w < left + wide and top < y and y + h < top + high
    assert all(x >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes.values())
    assert str(framed).splitlines() == [
        "x -> kernel fused",
        "kernel fused -> library",
        "  sum -> exp",
        "  exp",
        "library [extern]",
        "  mm",
    ]


def test_frames_that_wait_for_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        Diagram({"a": "a", "b": "b", "c": "c"}, [("a", "b"), ("b", "c")], frames={"a": "kernel", "c": "kernel"})
