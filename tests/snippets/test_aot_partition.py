"""Facts of the page "Saved for backward" that no program of it asserts."""

import pytest
import torch
from torch._functorch import config


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
