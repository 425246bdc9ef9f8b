"""What a summary shows: guards that the reader's own values can fail, what is saved for backward, and peaks."""

import pytest
import torch

from compile_lessons import capture
from compile_lessons.findings.of_capture import digest, kept, peaks

KILO = 1024


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(16, 32), torch.nn.Linear(32, 16)

    def forward(self, x):
        return self.second(self.first(x).sin())


def test_parameters_are_apart_from_activations() -> None:
    x = torch.ones(8, 16)
    graphs = capture(Net(), until="aot")(x).graphs
    memory = kept(graphs)
    assert sum(value.bytes or 0 for value in memory.parameters) == 32 * 16 * 4  # the first needs no weight for x
    assert sum(value.bytes or 0 for value in memory.inputs) == x.nbytes
    assert memory.activations and {value.name for value in memory.activations}.isdisjoint(
        value.name for value in memory.parameters
    )
    assert sum(map(len, (memory.activations, memory.parameters, memory.inputs))) == len(graphs[0].saved)


def products(x, w):
    a = x @ w  # one buffer
    b = a @ w  # the second; the first is freed after it
    c = b @ w  # takes the place of the first
    return c @ w


def kept_to_the_end(x, w):
    a = x @ w
    b = a @ w
    return a, b, b @ w


@pytest.mark.parametrize(("function", "most"), [(products, 2), (kept_to_the_end, 3)])
def test_the_peak_counts_buffers_while_somebody_reads_them(function, most: int) -> None:
    x = torch.ones(16, 16)
    with torch.no_grad():
        [peak] = peaks(capture(function, backward=False)(x, torch.ones(16, 16)).graphs)
    assert peak.bytes == most * x.nbytes == most * KILO
    assert peak.inputs == 2 * KILO and peak.direction == "inference"


def test_what_is_fused_takes_no_memory() -> None:
    def f(x):
        return x.sin().cos().exp().sum()

    with torch.no_grad():
        [peak] = peaks(capture(f, backward=False)(torch.ones(16, 16)).graphs)
    assert peak.bytes == 4


def test_no_kernels_no_estimate() -> None:
    assert peaks(capture(products, until="aot")(torch.ones(4, 4), torch.ones(4, 4)).graphs) == ()


def by_size(x, y):
    z = x * 2
    return z[: y.shape[0]] + y


def test_a_condition_on_sizes_is_named_by_its_sizes_and_has_a_line() -> None:
    x, y = torch.ones(8, 2), torch.ones(4, 2)
    torch._dynamo.mark_dynamic(x, 0)
    torch._dynamo.mark_dynamic(y, 0)
    guards = capture(by_size, until="dynamo")(x, y).guards
    assert any(guard.kind == "SHAPE_ENV" and guard.checks and guard.location is None for guard in guards)
    rows = digest(guards).inputs
    assert all(row.location is not None for row in rows)
    conditions = {row.source: row.value for row in rows if ".size(" in row.source}
    assert conditions == {
        "y.size(0), x.size(0)": "y.size(0) <= x.size(0)",
        "x.size(0)": "2 <= x.size(0)",
        "y.size(0)": "2 <= y.size(0)",
    }


class Scaled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.limit = torch.nn.Linear(2, 2), 3

    def forward(self, x):
        return self.linear(x).clamp(max=self.limit)


def test_guards_are_counted_once() -> None:
    model = torch.nn.Sequential(Scaled(), Scaled())
    guards = capture(model, until="dynamo")(torch.ones(2, 2)).guards
    found = digest(guards)
    assert found.number == len(guards) and found.on_parameters == 4
    [limit] = found.values
    assert limit.source.endswith(".limit") and (limit.value, limit.more) == ("3", 1)
