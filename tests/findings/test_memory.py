"""What is saved for backward, and the estimate of a graph's peak."""

import pytest
import torch

from compile_lessons import capture
from compile_lessons.findings.memory import kept, peaks

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
