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
    assert "compiled:" not in caught.text.split("Traceback")[0]


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
