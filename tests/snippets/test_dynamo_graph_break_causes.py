"""Facts of docs/dynamo/graph-break-causes.md that its snippets don't assert."""

import copy
import random
import re

import pytest
import torch

HERE = "dynamo/graph_break_causes/"


def test_the_log_names_the_skipped_function(record):
    text = record(HERE + "loop_log.py").text
    assert "Skipping the function and falling back to eager" in text
    assert "graph break in loop" in text


def test_eager_mode_catches_what_compiled_code_raises(record):
    caught = record(HERE + "except_error.py")
    assert "eager: (2, 4)" in caught.text
    assert "compiled: TorchRuntimeError" in caught.text


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda x: x[10], IndexError),
        (lambda x: x.view(7), torch._dynamo.exc.TorchRuntimeError),
        (lambda x: torch.stack([]), torch._dynamo.exc.TorchRuntimeError),
        (lambda x: torch.linalg.cholesky(-torch.eye(3)), torch.linalg.LinAlgError),
    ],
)
def test_an_except_that_is_not_reached(function, error):
    def guarded(x):
        try:
            return function(x)
        except Exception:
            return x * 2

    torch.compiler.reset()
    assert torch.equal(guarded(torch.ones(3)), torch.full((3,), 2.0))
    with pytest.raises(error):
        torch.compile(guarded, backend="eager")(torch.ones(3))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * copy.deepcopy([1, 2])[1],
        lambda x: x * len(re.match("a+", "aaa").group()),
        lambda x: x * random.randint(3, 3),
    ],
)
def test_listed_modules_with_functions_that_trace(function):
    torch.compiler.reset()
    x = torch.ones(3)
    assert torch.equal(torch.compile(function, backend="eager", fullgraph=True)(x), function(x))


def test_training_through_an_lstm_needs_an_input_with_a_gradient():
    lstm, x = torch.nn.LSTM(4, 4), torch.ones(3, 2, 4)
    with torch._dynamo.config.patch(allow_rnn=True):
        torch.compiler.reset()
        compiled = torch.compile(lambda x: lstm(x)[0].sum(), backend="aot_eager")
        with pytest.raises(AssertionError, match="expected all tensors_saved_with_vc_check"):
            compiled(x)
        torch.compiler.reset()
        compiled(x.requires_grad_()).backward()
    gradients = [parameter.grad.clone() for parameter in lstm.parameters()]
    lstm.zero_grad()
    lstm(x)[0].sum().backward()
    for parameter, gradient in zip(lstm.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad, gradient)
