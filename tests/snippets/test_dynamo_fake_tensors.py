"""What docs/dynamo/fake-tensors.md states and its snippets don't assert themselves."""

import sys
from pathlib import Path

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


@pytest.fixture
def llama(monkeypatch):
    """The module of the model, and the function that counts saved bytes."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "snippets/dynamo/fake_tensors"))
    import _llama
    import _saved

    yield _llama.llama, _saved.saved_by
    for name in ("_llama", "_saved"):
        del sys.modules[name]


def test_a_model_keeps_the_same_bytes_with_fake_tensors_as_with_data(llama) -> None:
    make_model, saved_by = llama

    def run():
        model = make_model(layers=2, width=64, words=100, heads=4, kv_heads=2, hidden=96)
        result, saved = saved_by(model, torch.zeros(2, 16, dtype=torch.int64))
        return result.shape, result.stride(), saved

    real = run()
    with FakeTensorMode():
        assert run() == real


def test_the_results_of_operators_are_cached(llama) -> None:
    make_model, saved_by = llama
    FakeTensorMode.cache_clear()
    with FakeTensorMode():
        saved_by(make_model(layers=20, width=64, words=100, hidden=96, heads=4, kv_heads=2), torch.zeros(1, 8).long())
    counts = FakeTensorMode.cache_info()
    assert counts.hits > 4 * counts.misses


def test_the_sum_of_a_petabyte_needs_no_memory() -> None:
    with FakeTensorMode():
        assert torch.empty(10**15).sum().shape == ()


def test_an_operator_without_a_meta_kernel_runs_the_real_kernel() -> None:
    with FakeTensorMode(), pytest.raises(RuntimeError, match=r"not enough memory|allocate"):
        torch.histogram(torch.empty(10**15), 4)
