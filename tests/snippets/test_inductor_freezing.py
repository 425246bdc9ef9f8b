"""What docs/inductor/freezing.md states and its snippets don't assert: other modules, modes, sizes and ways to load."""

from collections.abc import Iterator

import pytest
import torch
from torch import nn
from torch._inductor import config

from compile_lessons import keep_graphs
from compile_lessons.runs.machine import cxx_compiler

pytestmark = [
    pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler"),
    pytest.mark.usefixtures("precompiled_header"),
]


class Adapter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Parameter(torch.randn(4, 16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.down.T


class Int8(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("codes", torch.arange(-64, 64, dtype=torch.int8).view(16, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.codes.float()


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(32, 16)
        self.head = nn.Linear(16, 32, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.embedding(tokens))


@pytest.fixture(autouse=True)
def frozen() -> Iterator[None]:
    with config.patch(freezing=True), torch.no_grad():
        yield


def change_in_place(model: nn.Module) -> None:
    for tensor in model.state_dict().values():
        if tensor.dtype != torch.int64:  # a batch norm counts its batches
            tensor.mul_(2)


def convolution_with_norm() -> nn.Module:
    norm = nn.BatchNorm2d(8)
    norm.running_mean.uniform_(1, 2)
    return nn.Sequential(nn.Conv2d(3, 8, 3, bias=False), norm)


@pytest.mark.parametrize(
    ("model", "x"),
    [(Adapter(), torch.randn(8, 16)), (Int8(), torch.randn(8, 16)), (convolution_with_norm(), torch.randn(2, 3, 8, 8))],
    ids=["transposed", "int8", "batch norm"],
)
def test_what_is_computed_from_weights_alone_stays_old(model: nn.Module, x: torch.Tensor) -> None:
    compiled = torch.compile(model.eval())
    before = compiled(x)
    change_in_place(model)
    assert torch.equal(compiled(x), before)
    assert not torch.allclose(model(x), before)


def test_a_shared_weight_is_new_in_the_embedding_and_old_in_the_output_layer() -> None:
    model, tokens = Tied(), torch.arange(8)
    before = torch.compile(model)(tokens)
    model.embedding.weight.mul_(2)
    torch.testing.assert_close(torch.compile(model)(tokens), 2 * before)
    torch.testing.assert_close(model(tokens), 4 * before)


@pytest.mark.parametrize("dynamic", [None, True])
def test_load_with_assign_gives_the_new_weights_to_shared_layers_at_each_size(dynamic: bool | None) -> None:
    model = Tied()
    compiled = torch.compile(model, dynamic=dynamic)
    for length in (8, 5):
        compiled(torch.arange(length))
    model.load_state_dict({name: 3 * weight for name, weight in model.state_dict().items()}, assign=True)
    for length in (8, 5):
        torch.testing.assert_close(compiled(torch.arange(length)), model(torch.arange(length)))


def test_after_a_reset_the_loaded_weights_are_used() -> None:
    model, x = nn.Linear(16, 16), torch.randn(8, 16)
    compiled = torch.compile(model)
    compiled(x)
    model.load_state_dict({name: 2 * weight for name, weight in model.state_dict().items()})
    assert not torch.allclose(compiled(x), model(x))
    torch.compiler.reset()
    torch.testing.assert_close(compiled(x), model(x))


def test_each_load_with_assign_counts_toward_the_recompile_limit() -> None:
    kept = keep_graphs()
    model, x = nn.Linear(16, 16), torch.randn(8, 16)
    compiled = torch.compile(model, backend=kept, recompile_limit=2)
    for _ in range(4):
        model.load_state_dict({name: 2 * weight for name, weight in model.state_dict().items()}, assign=True)
        torch.testing.assert_close(compiled(x), model(x))
    assert (len(kept.graphs), len(kept.runs)) == (2, 2)


def test_turning_freezing_off_later_leaves_the_frozen_code_in_use() -> None:
    model, x = nn.Linear(16, 16, bias=False), torch.randn(8, 16)
    compiled = torch.compile(model)
    before = compiled(x)
    with config.patch(freezing=False):
        change_in_place(model)
        torch.testing.assert_close(compiled(x), before)


def test_after_a_change_calls_with_and_without_gradients_differ() -> None:
    model, x = nn.Linear(16, 16, bias=False), torch.randn(8, 16)
    compiled = torch.compile(model)
    before = compiled(x)
    change_in_place(model)
    with torch.enable_grad():
        current = compiled(x)
    torch.testing.assert_close(current, 2 * before)
    torch.testing.assert_close(compiled(x), before)


def test_weights_that_are_arguments_are_not_frozen() -> None:
    model, x = nn.Linear(16, 16), torch.randn(8, 16)

    def call(weights: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(model, weights, (x,))

    compiled = torch.compile(call)
    weights = {name: weight.clone() for name, weight in model.named_parameters()}
    compiled(weights, x)
    for weight in weights.values():
        weight.mul_(2)
    torch.testing.assert_close(compiled(weights, x), call(weights, x))


def test_without_parameters_a_model_neither_runs_in_eager_mode_nor_is_saved_or_loaded() -> None:
    model, x = nn.Sequential(nn.Linear(16, 32), nn.ReLU()), torch.randn(8, 16)
    state = {name: weight.clone() for name, weight in model.state_dict().items()}
    with config.patch(freezing_discard_parameters=True):
        torch.compile(model)(x)
        for use in (lambda: model(x), model.state_dict, lambda: model.load_state_dict(state)):
            with pytest.raises(RuntimeError):
                use()


def test_after_a_size_failed_without_parameters_only_a_reset_brings_compiled_code_back() -> None:
    model, x = nn.Sequential(nn.Linear(16, 32), nn.ReLU()), torch.randn(8, 16)
    state = {name: weight.clone() for name, weight in model.state_dict().items()}
    expected = model(x)
    kept = keep_graphs(then="inductor")
    compiled = torch.compile(model, backend=kept)
    with config.patch(freezing_discard_parameters=True):
        compiled(x)
        with pytest.raises(RuntimeError, match="have been discarded"):
            compiled(x[:5])
        for runs in (1, 2):
            model.load_state_dict(state, assign=True)
            torch.testing.assert_close(compiled(x), expected)
            assert len(kept.runs) == runs
            torch.compiler.reset()
