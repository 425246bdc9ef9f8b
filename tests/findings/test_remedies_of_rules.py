"""Remedies of rules and guards that change how a model is trained: applied as printed, it trains as before."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, LRScheduler, OneCycleLR

from compile_lessons import capture, keep_graphs
from compile_lessons.findings.rules import findings_of
from training import assert_trains_like_eager

BATCHES = [(torch.randn(rows, 4),) for rows in (4, 4, 3)]


def a_function_for_each(optimizer: torch.optim.Optimizer) -> LRScheduler:
    return LambdaLR(optimizer, [lambda step: 1 / (1 + step), lambda step: 1.0])


def a_maximum_for_each(optimizer: torch.optim.Optimizer) -> LRScheduler:
    return OneCycleLR(optimizer, [0.1, 0.01], total_steps=8, cycle_momentum=False)


def train(rates: list[Any], schedule: Callable[..., LRScheduler], backend: Any = None) -> list[torch.Tensor]:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))
    groups = [{"params": layer.parameters(), "lr": rate} for layer, rate in zip(model[::2], rates, strict=True)]
    optimizer = torch.optim.AdamW(groups)
    scheduler = schedule(optimizer)
    step = torch.compile(optimizer.step, backend=backend) if backend else optimizer.step
    for _ in range(3):
        model(torch.ones(3, 4)).square().mean().backward()
        step()
        optimizer.zero_grad()
        scheduler.step()
    return list(model.parameters())


@pytest.mark.parametrize("schedule", [a_function_for_each, a_maximum_for_each])
def test_parameter_groups_need_a_tensor_each_as_learning_rate(schedule: Callable[..., LRScheduler]) -> None:
    expected = train([0.01, 0.01], schedule)
    kept = keep_graphs("eager")
    torch.testing.assert_close(train([torch.tensor(0.01), torch.tensor(0.01)], schedule, kept), expected)
    assert len(kept.graphs) == 1
    shared = torch.tensor(0.01)
    with pytest.raises(AssertionError, match="not close"):
        torch.testing.assert_close(train([shared, shared], schedule), expected)


class Detached(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.tanh(layer(x.detach()))
        return x


def test_a_detached_input_stops_the_training_of_earlier_layers() -> None:
    model = Detached()
    model(torch.ones(2, 4)).sum().backward()
    assert [layer.weight.grad is not None for layer in model.layers] == [False, False, True]


class Gates(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gates = nn.ModuleList(nn.LayerNorm(4) for _ in range(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.stack([gate.weight * x + gate.bias for gate in self.gates]).mean(0)


class OneTensor(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(5, 1, 4))
        self.bias = nn.Parameter(torch.zeros(5, 1, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.weight * x + self.bias).mean(0)


def test_what_many_modules_hold_trains_in_one_parameter() -> None:
    outputs = []
    for model, call in ((gates := Gates(), gates), (one := OneTensor(), torch.compile(one, backend="aot_eager"))):
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        for (x,) in BATCHES:
            optimizer.zero_grad()
            call(x).square().mean().backward()
            optimizer.step()
        outputs.append(model(torch.ones(2, 4)))
    torch.testing.assert_close(*outputs)


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.tanh(self.linear(x))


class Blocks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(24))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = block(x)
        return x


@pytest.mark.parametrize("batches", [BATCHES, [(torch.ones(2, 4),)] * 2])
def test_a_block_that_repeats_is_not_compiled_for_each_copy(batches: list[tuple[torch.Tensor]]) -> None:
    [found] = findings_of(capture(Blocks(), until="dynamo")(torch.ones(2, 4)))
    assert found.remedy == "compile the block that repeats and not the whole model"
    kept = keep_graphs("aot_eager")

    def each_block(model: nn.Module) -> nn.Module:
        for block in model.blocks:
            block.compile(backend=kept)
        return model

    assert_trains_like_eager(Blocks, batches, each_block)
    sizes = len({len(x) for (x,) in batches})
    assert len(kept.graphs) <= 2 * sizes  # the first block's input needs no gradient


def halves(x: torch.Tensor) -> Iterator[torch.Tensor]:
    yield x.sin() / 2
    yield x.cos() / 2


def test_a_list_is_compiled_and_a_generator_is_not() -> None:
    for function, number in ((halves, 0), (lambda x: list(halves(x)), 1)):
        torch.compiler.reset()
        kept = keep_graphs("eager")
        x = torch.ones(3, requires_grad=True)
        first, second = torch.compile(function, backend=kept)(x)
        torch.testing.assert_close([first, second], list(halves(x)))
        assert len(kept.graphs) == number


@pytest.mark.parametrize("before", [lambda model: torch.compiler.reset(), lambda model: None])
def test_training_needs_no_reset(before: Callable[[nn.Module], object]) -> None:
    assert_trains_like_eager(lambda: nn.Linear(4, 4), BATCHES, before=before)


class Net(nn.Sequential):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x)


def test_a_sequential_with_a_forward_of_its_own_compiles_in_place_and_keeps_its_names() -> None:
    def make() -> nn.Module:
        return Net(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4))

    def compiled(model: nn.Module) -> nn.Module:
        model.compile(backend=kept)
        return model

    kept = keep_graphs("aot_eager")
    names = list(make().state_dict())
    assert_trains_like_eager(make, BATCHES, compiled)
    assert kept.graphs and list(compiled(make()).state_dict()) == names == ["0.weight", "0.bias", "2.weight", "2.bias"]
