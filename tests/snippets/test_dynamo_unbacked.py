"""What docs/dynamo/unbacked.md states and its snippets don't assert themselves."""

from contextlib import nullcontext

import pytest
import torch
from torch._inductor.exc import InductorError
from torch.nn.functional import scaled_dot_product_attention

from compile_lessons.records.machine import cxx_compiler


def test_a_negative_size_is_an_error(record):
    assert "RuntimeError: Runtime assertion failed for expression u0 >= 0" in record("dynamo/unbacked/item.py").text


def test_an_unbacked_number_takes_the_general_branch(record):
    unbacked, backed, one = record("dynamo/unbacked/guard_or_false.py").text.splitlines()
    assert "mul" in unbacked and "mul" in backed and one.endswith("none")


@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
@pytest.mark.parametrize(("index", "works"), [((None,), True), ((None, None), False)], ids=["batch", "batch_and_head"])
def test_attention_over_chosen_rows_trains_with_three_dimensions(index, works):
    def attend(x):
        h = x[x[:, 0] > 0]
        torch._check(h.shape[0] > 1)
        h = h[index]
        return scaled_dot_product_attention(h, h, h).sum()

    torch.compiler.reset()
    x = torch.linspace(-1, 2, 48).view(12, 4).requires_grad_()
    with nullcontext() if works else pytest.raises(InductorError, match="data-dependent"):
        torch.compile(attend, fullgraph=True)(x).backward()
        [expected] = torch.autograd.grad(attend(x), x)
        torch.testing.assert_close(x.grad, expected)
