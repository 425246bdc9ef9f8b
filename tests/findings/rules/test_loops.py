"""A line that is in one graph many times is advice with its loop."""

from dataclasses import replace

import pytest
import torch

from compile_lessons import capture
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.rules import findings_of


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
    [found] = findings_of(capture(scan, until="dynamo")(torch.ones(16, 2, 4), torch.ones(4, 4)))
    assert found.what.startswith("a loop is unrolled 16 times in one graph, and compiling it took ")
    body = "state = gate * state + (1 - gate) * step"  # the line with most operations
    assert [place.text for place in found.where[:2]] == ["for step in x:", body]
    assert found.evidence == ("112 of the graph's 115 operations are in these copies",)
    assert found.rule == "unrolled-loop" and found.remedy == fix("unrolled-loop").remedy


def test_blocks_without_a_loop_around_their_lines() -> None:
    model = torch.nn.Sequential(*(Block() for _ in range(12)))
    [found] = findings_of(capture(model, until="dynamo")(torch.ones(2, 4)))
    assert (found.rule, found.severity) == ("repeated-block", "advice")
    assert found.what == "a block of 3 lines is 12 times in one graph"
    assert found.where[0].line == Block.forward.__code__.co_firstlineno + 1


def test_layers_that_a_loop_calls_are_a_block() -> None:
    class Layers(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.ModuleList(Block() for _ in range(12))

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    [found] = findings_of(capture(Layers(), until="dynamo")(torch.ones(2, 4)))
    assert found.rule == "repeated-block"


def test_a_source_that_has_changed_names_no_loop() -> None:
    pipeline = capture(scan, until="dynamo")(torch.ones(16, 2, 4), torch.ones(4, 4))
    frame = pipeline.frames[0]
    assert frame.graph is not None
    nodes = tuple(
        replace(node, location=replace(node.location, text="other") if node.location else None)
        for node in frame.graph.dynamo.nodes
    )
    graph = replace(frame.graph, dynamo=replace(frame.graph.dynamo, nodes=nodes))
    [found] = findings_of(replace(pipeline, frames=(replace(frame, graph=graph),)))
    assert found.rule == "repeated-block" and "16 times in one graph" in found.what


@pytest.mark.parametrize(("function", "shape"), [(scan, (4, 2, 4)), (written_out, (4,))])
def test_few_copies_are_no_finding(function, shape) -> None:
    inputs = (torch.ones(shape),) if function is written_out else (torch.ones(shape), torch.ones(4, 4))
    assert findings_of(capture(function, until="dynamo")(*inputs)) == []
