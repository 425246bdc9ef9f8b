"""The summary: numbers that follow from shapes, and what is said to be unknown."""

from __future__ import annotations

import dataclasses

import torch

from compile_lessons import api
from compile_lessons.explorer.strip import in_words, strip
from compile_lessons.facts import Pipeline


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
    assert shown["bytes read and written"] == f"{before:,} before fusion, {2 * whole:,} after"
    assert shown["kernels"] == "1 C++" and shown["graphs"] == "1"
    assert shown["compile time"].startswith(tuple("0123456789")) and "Dynamo" in shown["compile time"]
    # What differs from run to run is in no text that two runs are compared by.
    assert "compile time" not in in_words(strip(pipeline)) and f"{before:,}" in in_words(strip(pipeline))


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
    assert shown["bytes read and written"] == "unknown before fusion, unknown after"


def test_a_capture_that_stops_early_has_no_rows_of_later_stages() -> None:
    shown = values(api.capture(softmax, until="dynamo", look_up=False)(torch.randn(4, 8)))
    assert shown["graphs"] == "1" and not {"kernels", "launches", "bytes read and written"} & shown.keys()
