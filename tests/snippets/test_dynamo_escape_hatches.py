"""Facts of docs/dynamo/escape-hatches.md that its snippets don't assert."""

import pytest
import torch

from compile_lessons import capture, count_graphs

HERE = "dynamo/escape_hatches/"


def test_python_runs_the_disabled_function(record):
    assert "compiling? False" in record(HERE + "disable.py").text


def test_the_branch_for_eager_mode_runs_once(record):
    assert record(HERE + "is_compiling.py").text.count("checking") == 1


def test_the_swallowed_error(record):
    lines = record(HERE + "suppress.py").text.splitlines()
    assert "BackendCompilerFailed" in lines[0]
    assert "tensor([2., 2., 2.])" in lines[1]


def test_is_compiling_in_a_skipped_function_and_under_export():
    states = []

    def skipped(x):
        for _ in range(2):
            x = x + 1
            print(end="")
        states.append(torch.compiler.is_compiling())
        return x

    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1 if torch.compiler.is_compiling() else x - 1

    x = torch.ones(3)
    torch.compile(skipped, backend="eager")(x)
    assert states == [False]
    assert torch.equal(torch.export.export(Model(), (x,)).module()(x), x + 1)


@torch.library.custom_op("test::by_number", mutates_args=())
def by_number(x: torch.Tensor) -> torch.Tensor:
    return x * number


number = 1.0
by_number.register_fake(torch.empty_like)


def test_an_operator_sees_a_number_that_was_set_before_the_call_but_not_in_it():
    def setting(x):
        global number
        number = 7.0
        return by_number(x)

    def reading(x):
        return by_number(x)

    global number
    for value in (1.0, 2.0):
        number = value
        assert torch.compile(reading, backend="eager")(torch.ones(1)) == value
    number = 1.0
    assert torch.compile(setting, backend="eager")(torch.ones(1)) == 1 and number == 7


def test_a_disabled_call_in_a_loop_leaves_no_graph():
    hidden = torch.compiler.disable(lambda x: x)

    def in_loop(x):
        for _ in range(2):
            x = hidden(x + 1)
        return x * 2

    assert capture(in_loop, until="dynamo")(torch.ones(3)).graphs == ()


def shifted_square(x):
    y = torch.relu(x) + 1
    print(end="")
    return y * y


@pytest.mark.parametrize("suppress", [False, True])
def test_suppress_errors_leaves_graph_breaks_as_they_are(suppress):
    with torch._dynamo.config.patch(suppress_errors=suppress):
        assert count_graphs(shifted_square)(torch.ones(3)) == 2
        with pytest.raises(torch._dynamo.exc.Unsupported):
            torch.compile(shifted_square, backend="eager", fullgraph=True)(torch.ones(3))


def test_suppress_errors_does_not_cover_the_backward_graph():
    def broken(graph_module, inputs):
        raise RuntimeError("a bug in the backend")

    forward_only = torch._dynamo.backends.common.aot_autograd(
        fw_compiler=lambda graph_module, inputs: graph_module.forward, bw_compiler=broken
    )
    with torch._dynamo.config.patch(suppress_errors=True):
        loss = torch.compile(lambda x: x.sin().sum(), backend=forward_only)(torch.ones(3, requires_grad=True))
        with pytest.raises(RuntimeError, match="a bug in the backend"):
            loss.backward()


def test_allow_in_graph_warns_of_silent_wrong_results_in_its_docstring():
    assert "silent" in torch.compiler.allow_in_graph.__doc__


def test_nonstrict_trace_hides_a_break_and_bakes_in_a_global():
    def with_a_break(inputs):
        torch._dynamo.graph_break()  # Dynamo does not see it
        return {"y": torch.relu(inputs["x"]) * number}

    global number
    nonstrict = torch._dynamo.nonstrict_trace(with_a_break)
    compiled = torch.compile(lambda x: nonstrict({"x": x})["y"], backend="aot_eager", fullgraph=True)
    results = []
    for value in (2.0, 10.0):
        number = value
        results.append(compiled(torch.ones(1)).item())
    assert results == [2.0, 2.0]


def test_a_side_effect_under_allow_in_graph_happens_only_while_compiling():
    ran = []

    def loud(x):
        ran.append(1)
        return x * 2

    hidden = torch.compiler.allow_in_graph(loud)
    compiled = torch.compile(lambda x: hidden(x) + 1, backend="aot_eager", fullgraph=True)
    compiled(torch.ones(1))
    while_compiling = len(ran)
    compiled(torch.ones(1))
    assert len(ran) == while_compiling > 0
