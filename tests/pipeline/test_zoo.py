"""Every sort of callable: results equal eager's, no stage empty without a reason, and JSON gives the same back."""

import pytest
import torch
from zoo import ZOO, Dropout

from compile_lessons.pipeline import Pipeline, capture

STAGES = {"joint", "forward", "backward"}


def assert_no_stage_is_silently_empty(pipeline):
    for graph in pipeline.graphs:
        missing = {found.stage: found.reason for found in graph.missing}
        assert all(missing.values())
        for stage in STAGES:
            assert (getattr(graph, stage) is None) == (stage in missing), stage
        lowered = {part.direction for part in graph.inductor}
        for aten in (graph.forward, graph.backward):
            if aten is not None:
                assert (aten.kind in lowered) != (f"inductor {aten.kind}" in missing)


@pytest.mark.parametrize("name", ZOO)
def test_equal_to_eager_and_complete(name):
    fn, args, kwargs, options, graphs = ZOO[name]()
    pipeline = capture(fn, **options)(*args, **kwargs)
    assert pipeline.failures == ()
    assert pipeline.comparison.status == "equal", str(pipeline.comparison)
    assert graphs is None or len(pipeline.graphs) == graphs
    assert_no_stage_is_silently_empty(pipeline)
    assert Pipeline.from_json(pipeline.to_json()) == pipeline
    assert max(map(len, str(pipeline).splitlines())) <= 100
    assert pipeline._repr_html_().count("<table") == pipeline._repr_html_().count("</table>") > 0


def test_gradients_of_every_parameter_are_compared():
    fn, args, kwargs, _, _ = ZOO["gpt"]()
    values = capture(fn)(*args, **kwargs).comparison.values
    gradients = {value.path for value in values if value.kind == "gradient"}
    assert gradients == {name for name, _ in fn.named_parameters()}
    assert all(parameter.grad is None for parameter in fn.parameters())


def test_buffers_and_inputs_are_as_after_one_call():
    fn, args, kwargs, _, _ = ZOO["norm, training"]()
    pipeline = capture(fn)(*args, **kwargs)
    assert fn.norm.num_batches_tracked == 1
    assert {value.path for value in pipeline.comparison.values if value.kind == "state"} == {
        "norm.running_mean",
        "norm.running_var",
        "norm.num_batches_tracked",
    }
    fn, (x,), kwargs, _, _ = ZOO["mutates"]()
    before = x.clone()
    capture(fn)(x)
    torch.testing.assert_close(x, before * 2)


def test_random_numbers_are_not_compared():
    pipeline = capture(Dropout())(torch.randn(4, 8))
    assert pipeline.failures == ()
    assert pipeline.comparison.status == "not compared"
    assert "random" in pipeline.comparison.reason
    assert capture(Dropout().eval())(torch.randn(4, 8)).comparison.status == "equal"


def test_the_bodies_of_cond_are_there():
    fn, args, kwargs, _, _ = ZOO["cond"]()
    graph = capture(fn)(*args, **kwargs).graphs[0]
    assert [len(sub.graph.calls) for sub in graph.dynamo.subgraphs] == [1, 1]
    assert {call.target for sub in graph.dynamo.subgraphs for call in sub.graph.calls} == {"sin", "cos"}
