"""The summary: numbers that follow from shapes, and what is said to be unknown."""

import dataclasses
import re
from pathlib import Path

import pytest
import torch

from compile_lessons import api
from compile_lessons.explorer.strip import compile_ids, in_words, strip
from compile_lessons.facts import Pipeline

ROOT = Path(__file__).parents[2]


def softmax(x):
    return torch.softmax(x, dim=-1)


def values(pipeline: Pipeline) -> dict[str, str]:
    return {row.name: row.value for row in strip(pipeline)}


def test_bytes_and_launches_before_and_after_fusion() -> None:
    pipeline = api.capture(softmax, machine_code=False, look_up=False)(torch.randn(64, 1024))
    whole, column = 64 * 1024 * 4, 64 * 4
    # The largest of each row, exp(x - largest), its sum, and the quotient: each a kernel of its own without fusion.
    before = (whole + column) + (whole + column + whole) + (whole + column) + (whole + column + whole)
    shown = values(pipeline)
    assert shown["launches"] == "4 before fusion, 1 after"
    assert shown["bytes read and written, estimated"] == f"{before:,} before fusion, {2 * whole:,} after"
    assert shown["kernels"] == "1 C++" and shown["graphs"] == "1"
    assert shown["compile time"].startswith(tuple("0123456789")) and "Dynamo" in shown["compile time"]
    # What differs from run to run is in no text that two runs are compared by.
    assert "compile time" not in in_words(strip(pipeline)) and f"{before:,}" in in_words(strip(pipeline))


def of_a_slice(x):
    y = torch.relu(x[:, :10])
    return y.sin(), y.cos(), y


def rows_of_a_table(table, rows):
    return torch.nn.functional.layer_norm(torch.nn.functional.embedding(rows, table), (64,))


def in_place(x):
    x[:4].mul_(2).add_(1)
    return x[:4].sum()


def a_view_with_a_bias(x, bias):
    y = x.transpose(0, 1) + bias[:, None]
    return y.softmax(-1), y.sum()


ROWS = torch.randint(1000, (8,))
FUSED = [
    (of_a_slice, (torch.randn(64, 1000),), True),
    (rows_of_a_table, (torch.randn(1000, 64), ROWS), False),
    (rows_of_a_table, (torch.randn(1000, 64, requires_grad=True), ROWS), True),
    (in_place, (torch.randn(100, 8),), False),
    (a_view_with_a_bias, (torch.randn(64, 32), torch.randn(32)), False),
]


@pytest.mark.parametrize(("function", "arguments", "dynamic"), FUSED)
def test_fusion_moves_no_more_bytes_than_before(function, arguments, dynamic: bool) -> None:
    pipeline = api.capture(function, machine_code=False, look_up=False, dynamic=dynamic)(*arguments)
    before, after = re.findall(r"\d[\d,]*", values(pipeline)["bytes read and written, estimated"])
    assert int(after.replace(",", "")) < int(before.replace(",", ""))


def test_the_numbers_before_each_graph_are_explained(broken: Pipeline) -> None:
    (row,) = [row for row in strip(broken) if row.name == "compile ids"]
    first, second = broken.frames
    named = f"0/0 with_a_break, 1/0 {second.name}"
    assert row.value == f"{named} (function/version, counted from 0, as in torch's logs)" and first.id == "0/0"
    assert compile_ids(["0/0 f", "1/0 g", "1/1 g", "2/0 h", "3/0 k"]).value.startswith("0/0 f, 1/0 g, 1/1 g, 2 more (")
    page, _, part = row.lesson.partition("#")
    assert f"### {part.title()}" in (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def test_what_inductor_does_not_say_is_unknown(step: Pipeline) -> None:
    (frame,) = step.frames
    graph = frame.graph
    nameless = [
        dataclasses.replace(part, kernels=tuple(dataclasses.replace(one, nodes=(), bytes=None) for one in part.kernels))
        for part in graph.inductor
    ]
    graph = dataclasses.replace(graph, inductor=tuple(nameless))
    shown = values(dataclasses.replace(step, frames=(dataclasses.replace(frame, graph=graph),)))
    assert shown["launches"] == "unknown before fusion, 4 after"
    assert shown["bytes read and written, estimated"] == "unknown before fusion, unknown after"


def test_a_capture_that_stops_early_has_no_rows_of_later_stages() -> None:
    shown = values(api.capture(softmax, until="dynamo", look_up=False)(torch.randn(4, 8)))
    assert shown["graphs"] == "1" and not {"kernels", "launches", "bytes read and written, estimated"} & shown.keys()
