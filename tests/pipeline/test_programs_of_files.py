"""What a program compiles itself is called as it is and watched: options, limits, places, contexts."""

import pytest
import torch

from compile_lessons import capture, capture_calls
from compile_lessons.pipeline.checks import CaptureError
from compile_lessons.pipeline.programs import noted_compiles, recording, written


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return x + self.linear(x).relu()


def model_of_compiled_blocks(number):
    model = torch.nn.Sequential(*(Block() for _ in range(number)))
    for block in model:
        block.compile(backend="eager")
    return model


def doubled(x):
    return x * 2


def with_a_break(x):
    torch._dynamo.graph_break()
    return x * 2


def sizes(number):
    return [torch.ones(n) for n in range(2, 2 + number)]


def test_a_compiled_function_keeps_dynamic_false_and_reaches_the_limit():
    compiled = torch.compile(doubled, dynamic=False, backend="eager")
    outcomes = [call.outcome for call in capture_calls(compiled, observe=True)(sizes(12)).calls]
    assert outcomes == ["compile"] + ["recompile"] * 7 + ["eager"] * 4


def test_a_limit_of_one_compile_is_kept():
    if torch.__version__ < "2.12":
        pytest.skip("torch.compile takes recompile_limit from torch 2.12 on")
    compiled = torch.compile(doubled, dynamic=False, recompile_limit=3, backend="eager")
    assert [call.outcome for call in capture_calls(compiled, observe=True)(sizes(5)).calls][3:] == ["eager"] * 2


def test_without_observing_all_blocks_are_one_graph_and_with_it_each_has_its_own_place():
    model = model_of_compiled_blocks(3)
    assert len(capture(model, until="dynamo")(torch.ones(2, 4)).graphs) == 1
    torch._dynamo.reset()
    watched = capture(model, observe=True, until="dynamo")(torch.ones(2, 4))
    # The input of the first block requires no gradient. The third block uses the code of the second.
    assert [len(graph.dynamo.calls) for graph in watched.graphs] == [3, 3]


def test_fullgraph_is_kept():
    compiled = torch.compile(with_a_break, fullgraph=True, backend="eager")
    [failure] = capture(compiled, observe=True, until="dynamo")(torch.ones(2)).failures
    assert failure.stage == "dynamo" and failure.type == "Unsupported"


def test_inductor_gets_the_options_that_the_program_gave():
    for options, checks_sizes in ((None, True), ({"size_asserts": False}, False)):
        [graph] = capture(torch.compile(doubled, options=options), observe=True)(torch.randn(4, 8)).graphs
        assert ("assert_size_stride(arg0_1" in graph.inductor[0].output_code) is checks_sizes
        torch._dynamo.reset()


def test_a_backend_of_the_program_s_own_runs_and_is_compared():
    def negating(module, inputs):
        return lambda *args: tuple(-value for value in module.forward(*args))

    pipeline = capture(torch.compile(doubled, backend=negating), observe=True, compare=True)(torch.ones(2))
    assert pipeline.comparison.status == "different" and len(pipeline.graphs) == 1


def test_a_function_that_compiles_nothing():
    pipeline = capture(doubled, observe=True)(torch.ones(2))
    assert not pipeline.graphs and pipeline.skips[0].reason == "the program compiles nothing in this call"


@pytest.mark.parametrize("layers", [[], [torch.nn.ReLU()]])
def test_a_module_of_torch_s_own_compiled_in_place_is_not_compiled(layers):
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), *layers)
    net.compile(backend="eager")
    pipeline = capture(net, observe=True)(torch.ones(2, 4))
    assert not pipeline.graphs and "use torch.compile(module)" in pipeline.skips[0].reason
    pipeline = capture(torch.compile(net, backend="eager"), observe=True)(torch.ones(2, 4))
    assert len(pipeline.graphs) == 1


def test_observing_takes_no_options():
    with pytest.raises(CaptureError, match="keeps the program's own options"):
        capture(doubled, observe=True, dynamic=False)


def test_the_call_is_made_in_a_context_and_the_backward_pass_is_not():
    seen = []

    class Watched(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(torch.is_autocast_enabled("cpu"))
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            seen.append(torch.is_autocast_enabled("cpu"))
            return grad * 2

    def within():
        return torch.autocast("cpu", dtype=torch.bfloat16)

    capture(Watched.apply, observe=True, until="dynamo", within=within)(torch.ones(2, requires_grad=True))
    assert seen == [True, False]


def test_gradients_are_scaled_where_autocast_uses_float16():
    overflow = torch.nn.Linear(2, 1)
    scales = []
    overflow.weight.register_hook(lambda grad: scales.append(grad.abs().max().item()))
    for dtype in (torch.bfloat16, torch.float16):
        fn = capture(lambda x: overflow(x).float(), observe=True, within=lambda: torch.autocast("cpu", dtype=dtype))  # noqa: B023
        fn(torch.ones(1, 2))
    assert scales[1] / scales[0] == 65536


def test_a_compile_is_noted_with_its_line_and_its_options():
    known = len(noted_compiles())
    with recording():
        torch.compile(doubled, mode="max-autotune", dynamic=False)  # this line

        @torch.compile(backend="eager")
        def decorated(x):
            return x

        net = Block()
        net.compile(dynamic=True)
        torch.compile(Block(), options={"max_fusion_size": 1})
    own = noted_compiles()[known:]
    assert [(it.what, it.options) for it in own] == [
        ("doubled", "mode='max-autotune', dynamic=False"),
        (decorated.__qualname__, "backend='eager'"),
        ("Block", "dynamic=True"),
        ("Block", "options={'max_fusion_size': 1}"),
    ]
    assert all(it.location.file == __file__ for it in own) and own[0].location.text.endswith("# this line")


def test_options_are_written_as_in_a_program():
    assert written({"fullgraph": True, "dynamic": None, "backend": doubled}) == "fullgraph=True, backend=doubled"


def test_a_step_runs_before_the_next_call():
    optimizer = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=1.0)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)

    def scaled(x):
        return x * optimizer.param_groups[0]["lr"]

    x = torch.ones(2)
    calls = capture_calls(scaled, backend="eager", compare=True)([x, scheduler.step, x, x]).calls
    assert [call.outcome for call in calls] == ["compile", "recompile", "hit"]
    assert [call.comparison.status for call in calls] == ["equal"] * 3
    assert optimizer.param_groups[0]["lr"] == 0.5


def test_a_step_that_raises_is_an_error_of_its_call():
    def fails():
        raise ValueError("no data")

    calls = capture_calls(doubled, backend="eager")([torch.ones(2), fails, torch.ones(2)]).calls
    assert [call.outcome for call in calls] == ["compile", "error"] and calls[1].error.message == "no data"
