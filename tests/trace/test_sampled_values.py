"""What the collector samples of the first calls of compiled functions."""

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import torch

from compile_lessons.trace.run import COLLECTOR


@pytest.fixture
def values(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(COLLECTOR)
    yield importlib.import_module("compile_lessons_collector.values")
    for name in [name for name in sys.modules if name.partition(".")[0] == "compile_lessons_collector"]:
        del sys.modules[name]


@pytest.fixture
def noted(values: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(values, "write", lambda event, **fields: found.append(fields))
    return found


class Counted(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("count", torch.zeros(()))
        self.calls = 0

    def forward(self, x: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
        self.calls += 1
        self.count += 1
        return x * self.weight * scale


def first_sums(noted: list[dict[str, Any]], when: str) -> dict[str, float]:
    return {leaf[0]: sum(leaf[4]) for record in noted if record["when"] == when for leaf in record["leaves"]}


def test_what_a_call_is_given_returns_and_changes(values: ModuleType, noted: list[dict[str, Any]]) -> None:
    module = Counted()
    call = module._call_impl
    watched = values.watch(lambda *args, **kwargs: call(*args, **kwargs), call, 1)
    watched(torch.full((2, 3), 2.0), scale=0.5).sum().backward()
    values.note_backward(())
    assert [record["when"] for record in noted] == ["given", "returned", "changed", "gradient"]
    given = {"x": 12, "weight": 3, "count": 0, "calls": 0, "training": 1, "scale": 0.5}
    assert first_sums(noted, "given") == given
    assert first_sums(noted, "returned") == {"output": 6}
    assert first_sums(noted, "changed") == given | {"count": 1, "calls": 1}
    assert first_sums(noted, "gradient") == {"weight": 6}


def test_gradients_of_each_use_are_sampled_in_its_first_passes(values: ModuleType, noted: list[dict[str, Any]]) -> None:
    for number in (1, 2):
        module = Counted()
        watched = values.watch(lambda x, module=module: module(x), module._call_impl, number)
        for _ in range(values.CALLS + 2):
            watched(torch.ones(3)).sum().backward()
            values.note_backward(())
    passes = [(record["region"], record["call"]) for record in noted if record["when"] == "gradient"]
    assert passes == [(number, call) for number in (1, 2) for call in range(1, values.CALLS + 1)]


SHARED = torch.nn.Linear(2, 2)


def step(batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, None]:
    return SHARED(batch["x"]), None


def test_containers_and_globals_are_sampled_in_the_first_calls(values: ModuleType, noted: list[dict[str, Any]]) -> None:
    watched = values.watch(lambda batch: step(batch), step, 1)
    for _ in range(values.CALLS + 2):
        watched({"x": torch.ones(1, 2)})
    assert noted[-1]["call"] == values.CALLS
    assert first_sums(noted, "given").keys() >= {"SHARED.weight", "SHARED.bias", "batch['x']"}
    assert first_sums(noted, "returned").keys() == {"output[0]"}


def test_sums_tell_places_apart_and_count_what_is_not_finite(values: ModuleType) -> None:
    one, other = (values._leaf("x", torch.tensor(rows)) for rows in ([1.0, 2.0] * 32, [2.0, 1.0] * 32))
    assert one[4] == other[4] and one[3] != other[3]
    assert values._leaf("x", torch.tensor([float("nan"), 1.0, float("inf")]))[2] == 2
    assert values._leaf("x", torch.empty(0))[3:] == [[0.0], [0.0]]
    assert values._leaf("x", torch.ones(2, device="meta")) is None


def test_moved_inputs_keep_what_autograd_knows(values: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "noise", 1e-3)
    x = torch.ones(4, requires_grad=True)
    y = x.exp()
    values._move({"y": y, "n": torch.ones(2, dtype=torch.int64), "wide": torch.ones(1).expand(3)})
    y.sum().backward()
    assert x.grad is not None and 0 < (x.grad - torch.e).abs().max() < 0.01


def test_a_watched_function_is_traced_as_the_function_itself(values: ModuleType, noted: list[dict[str, Any]]) -> None:
    compiled = torch.compile(lambda x: x + 1, backend="eager")
    watched = values.watch(compiled, compiled._torchdynamo_orig_callable, 1)
    graphs = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    assert torch.compile(lambda x: watched(x) * 2, backend=backend, fullgraph=True)(torch.ones(1)).item() == 4
    assert len(graphs) == 1 and noted == []
