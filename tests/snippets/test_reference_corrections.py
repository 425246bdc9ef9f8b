"""What docs/reference/corrections.md states and its snippets don't assert."""

import pytest
import torch


def a_break_before_any_operation(x):
    print(end="")
    return x * 2


def a_break_in_a_loop(x):
    for _ in range(3):
        x = x + 1
        print(end="")
    return x * 2


@pytest.mark.parametrize("function", [a_break_before_any_operation, a_break_in_a_loop])
def test_explain_has_no_reason_for(function):
    assert torch._dynamo.explain(function)(torch.ones(8)).break_reasons == []
