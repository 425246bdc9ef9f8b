"""What docs/inductor/dependencies.md says about the scheduler's dependencies, tried on other functions."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from compile_lessons import capture
from compile_lessons.facts.graphs import InductorGraph
from compile_lessons.runs.machine import cxx_compiler

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
X = torch.ones(16, 16)
ROW = torch.ones(2, 1, 8), torch.tensor([3]), torch.ones(8)


def lower(function: Callable[..., Any], *inputs: torch.Tensor, **settings: Any) -> InductorGraph:
    [graph] = capture(function, machine_code=False, **settings)(*inputs).graphs
    return graph.inductor[0]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x @ x).relu(),
        lambda x: torch.addmm(x, x, x),
        lambda x: x.cumsum(0) + 1,
        lambda x: torch.linalg.inv(x + torch.eye(16)),
    ],
    ids=["mm", "addmm", "cumsum", "inv"],
)
def test_a_library_call_reads_complete_buffers(function: Callable[..., Any]) -> None:
    nodes = [node.text for node in lower(function, X).ir]
    calls = [text for text in nodes if "ExternKernelSchedulerNode(" in text.splitlines()[0]]
    assert calls
    for text in calls:
        head = text.split(".outputs = ")[0]
        assert "StarDep" in head and "MemoryDep('arg" not in head


def read_twice(x, i):
    sums = x.sum(1)
    return x + sums[:, None] + sums[i]


#: Loops that read the sums of the rows: whether they fuse, and torch's reason if not.
LOOPS = {
    "sqrt": (lambda x, i: x.sum(1).sqrt(), ""),
    "view": (lambda x, i: x.sum(1).view(4, 4) * 2, ""),
    "expand": (lambda x, i: x.sum(1)[:, None].expand(16, 16) * x, ""),
    "transposed view": (lambda x, i: x.sum(1).view(4, 4).t().contiguous(), "no shared data"),
    "every second": (lambda x, i: x.sum(1)[::2] * 2, "no shared data"),
    "as a row": (lambda x, i: x + x.sum(1), "memory deps did not match"),
    "two reads": (read_twice, "memory deps did not match"),
}


@pytest.mark.parametrize(
    ("name", "dynamic"), [*((name, False) for name in LOOPS), ("expand", True), ("as a row", True)]
)
def test_a_loop_fuses_if_it_reads_what_was_written_with_the_same_index(name: str, dynamic: bool) -> None:
    function, reason = LOOPS[name]
    [decision] = lower(function, X, torch.arange(16), dynamic=dynamic).decisions
    assert decision.fused == (not reason) and (decision.fused or decision.reason == reason)


def add_rows(x, z, i):
    y = x + z
    x.index_add_(0, i, z)
    return y


def write_rows(x, z, i):
    y = x + z
    x[i] = z
    return y


def read_transposed(x, z, i):
    y = x.t() + z
    x.copy_(z)
    return y


def normalize_rows(x, z, i):
    sums = (x + z).sum(1, keepdim=True)
    x.div_(sums)


WRITES = [(add_rows, False), (write_rows, False), (read_transposed, False), (normalize_rows, True)]


@pytest.mark.parametrize(("function", "fused"), WRITES)
def test_a_write_waits_for_the_reads_and_fuses_with_those_of_the_same_elements(
    function: Callable[..., Any], fused: bool
) -> None:
    lowered = lower(function, X.clone(), X, torch.arange(16))
    assert "WeakDep(name='buf0'" in lowered.ir[-1].text
    assert (len(lowered.fused) == 1) == fused


def test_a_read_after_the_write_has_no_weak_dependency() -> None:
    def write_and_read(x, z):
        x.copy_(z)
        return x.sum(1)

    nodes = [node.text for node in lower(write_and_read, X.clone(), X).ir]
    [read] = [text for text in nodes if "'sum'" in text]
    assert not any("WeakDep" in text for text in nodes)
    assert "MemoryDep('arg1_1'" in read and "arg0_1" not in read.split(".outputs = ")[0]


def test_a_write_waits_for_a_later_read_that_is_computed_from_the_old_value() -> None:
    def write_and_read(x):
        x.mul_(2)
        return x.sum(1)

    read, *_, write = [node.text for node in lower(write_and_read, X.clone()).ir]
    assert "op0.unmet_dependencies = []" in read and "MemoryDep('arg0_1'" in read
    assert "WeakDep(name='buf0'" in write


def decode(cache, values, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return (cache * q).sum(-1) - (old * q).sum(-1)


def decode_keys_and_values(keys, values, row, position, q):
    old = values[:, position].clone()
    keys[:, position] = row
    values[:, position] = row
    scores = torch.softmax((keys * q).sum(-1), -1)
    return (scores.unsqueeze(-1) * values).sum(1) - old.squeeze(1)


def write_twice(cache, values, row, position, q):
    cache[:, position] = row
    cache[:, position + 1] = row
    return (cache * q).sum(-1)


def write_halves(cache, values, row, position, q):
    first, second = cache.chunk(2)
    first[:, position] = row[:1]
    second[:, position] = row[1:]
    return (first * second).sum(-1)


def write_by_scatter(cache, values, row, position, q):
    cache.scatter_(1, position.view(1, 1, 1).expand_as(row), row)
    return (cache * q).sum(-1)


def caches() -> tuple[torch.Tensor, ...]:
    return torch.zeros(2, 32, 8), torch.zeros(2, 32, 8), *ROW


#: Functions, whether their sizes are dynamic, and whether a cache is copied with the pass and without it.
COPIES = [
    (decode, False, True, False),
    (decode, True, True, False),
    (decode_keys_and_values, False, True, False),
    (write_twice, False, True, True),
    (write_halves, False, True, True),
    (write_by_scatter, False, True, True),
]


@pytest.mark.parametrize(("function", "dynamic", "with_pass", "without_pass"), COPIES)
def test_which_copies_of_the_cache_come_from_the_pass(
    function: Callable[..., Any], dynamic: bool, with_pass: bool, without_pass: bool
) -> None:
    for setting, copies in ((True, with_pass), (False, without_pass)):
        with torch.no_grad():
            lowered = lower(function, *caches(), dynamic=dynamic, options={"reorder_for_locality": setting})
        assert any("copy_" in node.target for node in lowered.post_grad.calls) == copies


def test_the_pass_does_not_run_in_training() -> None:
    weight = torch.ones(8, requires_grad=True)

    def step(cache, *others):
        return decode(cache, *others) + (cache.detach() * weight).sum(-1)

    order = [node.name for node in lower(step, *caches()).post_grad.calls]
    assert order.index("index") < order.index("index_put")
