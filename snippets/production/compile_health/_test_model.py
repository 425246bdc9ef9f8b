"""Compile health of the classifier. These tests need torch and pytest alone."""

import pytest
import torch
from model import Classifier


@pytest.fixture
def model():
    torch.compiler.reset()
    return Classifier()


def test_forward_is_one_graph(model):
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    compiled(torch.randn(8, 16))


def test_warm_calls_use_what_is_compiled(model):
    compiled = torch.compile(model, backend="eager")
    for batch in (8, 5):
        compiled(torch.randn(batch, 16))
    with torch.compiler.set_stance("fail_on_recompile"):
        for batch in (6, 7, 9):
            compiled(torch.randn(batch, 16))
