"""What docs/dynamo/fake-tensors.md states and its snippets don't assert themselves."""

from __future__ import annotations

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode


def test_inductor_computes_the_softmax_of_integers() -> None:
    x = torch.arange(3)
    with pytest.raises(NotImplementedError):
        torch.softmax(x, 0)
    with FakeTensorMode():
        torch.softmax(torch.arange(3), 0)
    assert torch.compile(lambda x: torch.softmax(x, 0))(x).dtype == torch.int64


def test_models_under_a_fake_mode() -> None:
    with FakeTensorMode():
        layer = torch.nn.TransformerEncoderLayer(8, 2, batch_first=True)
        optimizer = torch.optim.AdamW(layer.parameters())
        layer(torch.empty(1, 4, 8)).sum().backward()
        optimizer.step()
        assert torch.empty(3, 3, device="cuda").device.type == "cuda"
        if not torch.cuda.is_available():
            with pytest.raises(RuntimeError):
                torch.nn.Linear(3, 3, device="cuda")
    layer = torch.nn.Linear(3, 3)
    with FakeTensorMode(allow_non_fake_inputs=True):
        assert layer(torch.empty(2, 3)).shape == (2, 3)


def test_code_that_asks_for_an_address() -> None:
    @torch.library.custom_op("lesson_fake::address", mutates_args=())
    def address(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    address.register_fake(lambda x: torch.empty_like(x) if x.data_ptr() else x)
    with pytest.raises(RuntimeError, match="Cannot access data pointer of Tensor"):
        torch.compile(lambda x: address(x), backend="eager")(torch.ones(2))
