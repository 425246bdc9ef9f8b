"""Facts of the page "Saved for backward" that no program of it asserts."""

import pytest
import torch
from torch._functorch import config

from compile_lessons import capture


def test_the_budget_is_off_by_default():
    assert config.activation_memory_budget == 1.0


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        pytest.param(lambda x, w: torch.tanh(x @ w), (3, 2), id="a layer saves its result and a view of its input"),
        pytest.param(lambda x, w: w.sin().exp(), (4, 3), id="sin and exp save the argument and the result"),
    ],
)
def test_what_is_saved_takes_no_new_memory(function, shape):
    x, w = torch.ones(4, 3), torch.ones(shape, requires_grad=True)
    y = torch.compile(function, backend="aot_eager")(x, w)
    assert {saved.data_ptr() for saved in y.grad_fn.saved_tensors} <= {x.data_ptr(), w.data_ptr(), y.data_ptr()}


@pytest.mark.parametrize("shape", [(8, 4), (2, 8, 4)])
@pytest.mark.parametrize(("bias", "operator"), [(True, "aten.addmm.default"), (False, "aten.mm.default")])
def test_a_linear_layer_calls_another_operator_without_a_bias(shape, bias, operator):
    [graph] = capture(torch.nn.Linear(4, 4, bias=bias), until="aot")(torch.ones(shape, requires_grad=True)).graphs
    assert [str(node.target) for node in graph.forward.calls if "mm" in str(node.target)] == [operator]


def test_offloading_moves_nothing_that_no_pass_has_marked():
    with config.patch(enable_activation_offloading=True):
        [graph] = capture(lambda x: x.sin().cos(), until="aot")(torch.ones(4, requires_grad=True)).graphs
    assert not any("offload" in node.name for node in (*graph.forward.calls, *graph.backward.calls))


def test_hooks_around_a_compiled_model_move_its_parameters():
    layer, x, moved = torch.nn.Linear(4, 4), torch.ones(2, 4, requires_grad=True), []

    def pack(tensor):
        moved.append(tensor.data_ptr())
        return tensor

    compiled = torch.compile(lambda x: layer(x).sin(), backend="aot_eager")
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        compiled(x)
    assert layer.weight.data_ptr() in moved
