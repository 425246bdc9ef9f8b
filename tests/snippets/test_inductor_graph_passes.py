"""Which in-place writes of docs/inductor/graph-passes.md copy the whole cache."""

from collections.abc import Callable

import pytest
import torch

from compile_lessons import capture
from compile_lessons.runs.machine import cxx_compiler

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
weight = torch.eye(64, requires_grad=True)


def update_old(cache, row, position):
    cache[:, position] = 0.9 * cache[:, position] + row
    return cache.sum(-1)


def write_both(cache, row, position):
    cache[:, position] = row
    keys, values = cache.chunk(2)
    return (keys * values).sum(-1)


def write_a_row_with_a_gradient(cache, row, position):
    cache[:, position] = row @ weight
    return cache.sum(-1)


def write_a_detached_row(cache, row, position):
    cache[:, position] = (row @ weight).detach()
    return cache.sum(-1)


WRITES = [(update_old, False), (write_both, False), (write_a_row_with_a_gradient, True), (write_a_detached_row, False)]


@pytest.mark.parametrize(("function", "copies"), WRITES)
def test_the_cache_is_read_once_unless_it_is_copied(function: Callable[..., torch.Tensor], copies: bool) -> None:
    cache = torch.zeros(4, 256, 64)
    pipeline = capture(function, machine_code=False)(cache, torch.ones(4, 1, 64), torch.tensor([3]))
    moved = sum(kernel.bytes for kernel in pipeline.graphs[0].kernels)
    assert (moved > 1.5 * cache.nbytes) == copies
