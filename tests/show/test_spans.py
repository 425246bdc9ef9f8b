"""What ran when, over one time axis."""

import re

import pytest

from compile_lessons.show.charts import Span, Timeline

LANES: list[tuple[str, list[Span]]] = [
    ("rank 0", [("launch", 0.0, 1e-6), ("wait", 10e-3, 25e-3)]),
    ("a<b", [("send", 0.0, 20e-3)]),
]
TIMELINE = Timeline(["launch", "send", "wait"], LANES)


def test_spans_stand_where_they_ran() -> None:
    drawn = TIMELINE._repr_html_()
    spans = re.findall(r'<rect x="([^"]+)" y="(\d+)" width="([^"]+)".*?<title>([^<]+)<', drawn)
    assert spans == [
        ("0.00%", "24", "0.00%", "launch: 1 µs"),
        ("40.00%", "24", "60.00%", "wait: 15 ms"),
        ("0.00%", "68", "80.00%", "send: 20 ms"),
    ]
    assert len(re.findall(r"<rect [^>]*stroke=", drawn)) == 3, "the line around a span lets the shortest one be seen"
    assert re.findall(r"</svg> ([^<]+)</span>", drawn) == ["launch", "send", "wait"]


@pytest.mark.parametrize(
    ("longest", "ticks"),
    [
        (25e-3, ["0", "10 ms", "20 ms"]),
        (0.3, ["0", "100 ms", "200 ms", "300 ms"]),
        (2.0, ["0", "500 ms", "1 s", "1.5 s", "2 s"]),
        (9.9, ["0", "2 s", "4 s", "6 s", "8 s"]),
    ],
)
def test_the_axis_marks_round_times(longest: float, ticks: list[str]) -> None:
    drawn = Timeline(["run"], [("rank 0", [("run", 0.0, longest)])])._repr_html_()
    assert re.findall(r">([^<]+)</text>", drawn) == ["rank 0", *ticks]


def test_as_text() -> None:
    assert [line.split() for line in str(TIMELINE).splitlines()[2:]] == [
        ["rank", "0", "launch", "0", "1", "µs"],
        ["rank", "0", "wait", "10", "ms", "25", "ms"],
        ["a<b", "send", "0", "20", "ms"],
    ]


def test_a_timeline_read_from_its_data_is_drawn_the_same() -> None:
    again = Timeline.from_json(TIMELINE.to_json())
    assert str(again) == str(TIMELINE) and again._repr_html_() == TIMELINE._repr_html_()


def test_what_ran_has_a_name() -> None:
    with pytest.raises(ValueError, match="doesn't name what ran: wait"):
        Timeline(["launch", "send"], LANES)
