"""Every sort of callable: results equal eager's, no stage empty without a reason, and JSON gives the same back."""

import pytest
import torch

from compile_lessons import capture
from compile_lessons.facts import Pipeline
from zoo import ZOO, Dropout

STAGES = {"joint", "forward", "backward"}


def assert_no_stage_is_silently_empty(pipeline):
    for frame in pipeline.frames:
        assert frame.original and (frame.error or (frame.rewritten and frame.guards and frame.guard_tree))
    assert pipeline.phases
    assert bool(pipeline.lines.lines) == bool(pipeline.graphs)
    for graph in pipeline.graphs:
        assert graph.dynamo.nodes
        missing = {found.stage: found.reason for found in graph.missing}
        assert all(missing.values())
        for stage in STAGES:
            assert (getattr(graph, stage) is None) == (stage in missing), stage
        lowered = {part.direction for part in graph.inductor}
        for aten in (graph.forward, graph.backward):
            if aten is not None:
                assert (aten.kind in lowered) != (f"inductor {aten.kind}" in missing)
        for part in graph.inductor:
            assert part.post_grad.nodes and part.output_code and part.output_file
            assert bool(part.ir) == bool(part.fused) == bool(part.kernels)


#: test_transformers.py has a larger decoder; no stage depends on the operators of a mixture of experts.
NIGHTLY = {"gpt", "moe"}
MODELS = [pytest.param(name, marks=pytest.mark.nightly if name in NIGHTLY else ()) for name in ZOO]


@pytest.mark.parametrize("name", MODELS)
def test_equal_to_eager_and_complete(name):
    fn, args, kwargs, options, graphs = ZOO[name]()
    pipeline = capture(fn, compare=True, **options)(*args, **kwargs)
    assert pipeline.failures == ()
    assert pipeline.comparison.status == "equal", str(pipeline.comparison)
    assert graphs is None or len(pipeline.graphs) == graphs
    assert_no_stage_is_silently_empty(pipeline)
    assert Pipeline.from_json(pipeline.to_json()) == pipeline
    assert max(map(len, str(pipeline).splitlines())) <= 100
    html = "".join(frame._repr_html_() for frame in pipeline.frames)
    assert html.count("<table") == html.count("</table>") > 0


def test_buffers_and_inputs_are_as_after_one_call():
    fn, args, kwargs, _, _ = ZOO["norm, training"]()
    pipeline = capture(fn, compare=True)(*args, **kwargs)
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


class NormAndDropout(Dropout):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(8)

    def forward(self, x):
        return super().forward(self.norm(x))


def test_random_numbers_are_compared_with_eager_s_generator():
    model = NormAndDropout()
    pipeline = capture(model, compare=True)(torch.randn(4, 8))
    assert pipeline.failures == ()
    assert pipeline.comparison.status == "equal"
    assert pipeline.comparison.reason == "with eager's random numbers, in a second compile"
    assert {value.kind for value in pipeline.comparison.values} == {"output", "gradient", "state"}
    assert "with eager's random numbers" in str(pipeline)
    # What is captured is the compile as it is without that, once, and its run is the one that stays.
    assert [frame.id for frame in pipeline.frames] == ["0/0"]
    assert any("inductor_random" in call.target for call in pipeline.graphs[0].forward.calls)
    assert model.norm.num_batches_tracked == 1
    assert capture(Dropout().eval(), compare=True)(torch.randn(4, 8)).comparison.reason == ""


def test_a_wrong_result_beside_random_numbers_is_seen():
    def wrong(x):
        return x + torch.rand_like(x) + (1 if torch.compiler.is_compiling() else 0)

    comparison = capture(wrong, compare=True)(torch.zeros(4)).comparison
    assert comparison.status == "different"
    assert [value.path for value in comparison.values if not value.equal] == ["output"]


def test_random_numbers_in_the_body_of_cond():
    def noisy(x):
        return torch.cond(x.sum() > 0, lambda v: v + torch.rand_like(v), lambda v: v.sin(), (x,))

    comparison = capture(noisy, compare=True)(torch.ones(4)).comparison
    assert comparison.status == "equal" and "random" in comparison.reason


def test_the_bodies_of_cond_are_there():
    fn, args, kwargs, _, _ = ZOO["cond"]()
    graph = capture(fn, until="dynamo")(*args, **kwargs).graphs[0]
    assert [len(sub.graph.calls) for sub in graph.dynamo.subgraphs] == [1, 1]
    assert {call.target for sub in graph.dynamo.subgraphs for call in sub.graph.calls} == {"sin", "cos"}
