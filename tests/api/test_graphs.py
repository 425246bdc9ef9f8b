"""keep_graphs: the graphs of a program's own torch.compile, and which of them ran."""

import pytest
import torch

from compile_lessons import keep_graphs


def scaled(x, number):
    return x * number


def broken(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


def test_each_graph_is_kept_and_each_run_names_its_graph():
    kept = keep_graphs()
    compiled = torch.compile(scaled, backend=kept)
    for number in (2, 3, 4):
        torch.testing.assert_close(compiled(torch.ones(2), number), torch.full((2,), float(number)))
    assert len(kept.graphs) == 2 and kept.runs == [0, 1, 1]
    assert [node.op for node in kept.graphs[0].graph.nodes] == ["placeholder", "call_function", "output"]


def test_both_sides_of_a_graph_break_are_kept():
    kept = keep_graphs()
    assert torch.compile(broken, backend=kept)(torch.ones(2)).tolist() == [4.0, 4.0]
    assert len(kept.graphs) == 2 and kept.runs == [0, 1]


def test_a_call_in_eager_mode_runs_no_graph():
    kept = keep_graphs()
    compiled = torch.compile(scaled, backend=kept, recompile_limit=1, dynamic=False)
    compiled(torch.ones(2), 2)
    compiled(torch.ones(2), 3)
    assert len(kept.graphs) == 1 and kept.runs == [0]


@pytest.mark.parametrize(("then", "graphs"), [("eager", 2), ("aot_eager", 4)])
def test_a_graph_that_dynamo_traces_once_more_for_aotautograd_is_kept_once(then, graphs):
    """A float that ``clamp`` takes: AOTAutograd has Dynamo trace again, with the number as a constant."""
    kept = keep_graphs(then)
    compiled = torch.compile(lambda x, p: x.clamp(max=p), backend=kept)
    for number in (0.1, 0.2, 0.3, 0.4):
        assert compiled(torch.ones(1), number).item() == pytest.approx(number)
    assert len(kept.graphs) == graphs and len(kept.runs) == 4


def test_gradients_flow_through_kept_graphs():
    x = torch.ones(2, requires_grad=True)
    for then in ("eager", "aot_eager"):
        kept = keep_graphs(then)
        (gradient,) = torch.autograd.grad(torch.compile(scaled, backend=kept)(x, 3).sum(), x)
        assert gradient.tolist() == [3.0, 3.0] and kept.runs == [0]
        torch.compiler.reset()
