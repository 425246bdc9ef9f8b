"""A line that is in one graph many times is advice with its loop."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from compile_lessons import capture
from compile_lessons.findings.rules_of_compile.loops import unrolled_loops


def scan(x, w):
    state = torch.zeros_like(x[0])
    for step in x:
        gate = torch.sigmoid(step @ w)
        state = gate * state + (1 - gate) * step
    return state.sum()


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x).relu()
        y = y * torch.sigmoid(y) + y.tanh()
        return x + y.clamp(max=1)


def written_out(x):
    return x.sin().cos().tan().exp().log().relu().tanh().sigmoid()


def test_a_loop_is_found_by_its_lines() -> None:
    pipeline = capture(scan, until="dynamo")(torch.ones(16, 2, 4), torch.ones(4, 4))
    [found] = unrolled_loops(pipeline)
    line = scan.__code__.co_firstlineno + 2
    assert found.what == f"the loop in test_loops.py:{line} is unrolled 16 times"
    assert [place.text for place in found.where] == ["for step in x:"]
    assert found.evidence[0].startswith(f"lines {line} to {line + 2} are 112 of the graph's 115 operations")
    assert found.severity == "advice"


def test_blocks_without_a_loop_around_their_lines() -> None:
    model = torch.nn.Sequential(*(Block() for _ in range(12)))
    [found] = unrolled_loops(capture(model, until="dynamo")(torch.ones(2, 4)))
    first = Block.forward.__code__.co_firstlineno + 1
    assert found.what == f"test_loops.py:{first}: lines {first} to {first + 2} are in one graph 12 times"


def test_a_source_that_has_changed_names_no_loop() -> None:
    pipeline = capture(scan, until="dynamo")(torch.ones(16, 2, 4), torch.ones(4, 4))
    frame = pipeline.frames[0]
    assert frame.graph is not None
    nodes = tuple(
        replace(node, location=replace(node.location, text="other") if node.location else None)
        for node in frame.graph.dynamo.nodes
    )
    graph = replace(frame.graph, dynamo=replace(frame.graph.dynamo, nodes=nodes))
    [found] = unrolled_loops(replace(pipeline, frames=(replace(frame, graph=graph),)))
    assert "in one graph 16 times" in found.what


@pytest.mark.parametrize(("function", "shape"), [(scan, (4, 2, 4)), (written_out, (4,))])
def test_few_copies_are_no_finding(function, shape) -> None:
    inputs = (torch.ones(shape),) if function is written_out else (torch.ones(shape), torch.ones(4, 4))
    assert list(unrolled_loops(capture(function, until="dynamo")(*inputs))) == []
