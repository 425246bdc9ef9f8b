"""Timing on the CPU; the same on a GPU is recorded by snippets/gpu."""

import sys
import time

import pytest
import torch

from compile_lessons import bench
from compile_lessons.bench import Comparison, Limits, Measurement, limits, measure


def test_inputs_are_taken_in_turn():
    seen = []
    measure("append", seen.append, [(1,), (2,), (3,)], spread=1.0)
    assert seen[:6] == [1, 2, 3, 1, 2, 3]


def test_quartiles_first_call_and_memory():
    measurement = measure("sin", torch.sin, [(torch.randn(4096),)], spread=0.5, moved=2 * 4 * 4096)
    low, middle, high = measurement.quarters
    assert 0 < low <= middle <= high
    assert measurement.first > 0
    assert measurement.peak_memory > 0
    assert measurement.samples > 1


def test_first_call_is_apart():
    """A function that compiles at its first call must not look slow ever after."""
    calls = []

    def slow_once(x):
        if not calls:
            time.sleep(0.2)
        calls.append(x)

    measurement = measure("once", slow_once, [(1,)], spread=1.0)
    assert measurement.first > 0.2
    assert measurement.quarters[2] < 0.1


def test_spread_is_reached_or_stated():
    measurement = measure("sleep", time.sleep, [(0.002,)], spread=0.5)
    assert measurement.wanted == 0.5
    assert (f"{measurement.spread:.1%}, not 50%" in str(Comparison((measurement,)))) == (measurement.spread > 0.5)
    wild = Measurement("wild", "cpu", (1.0, 2.0, 3.0), 9, 1.0, 0, False, wanted=0.01)
    assert "100.0%, not 1%" in str(Comparison((wild,)))


@pytest.mark.skipif(sys.platform != "linux", reason="the peak can be reset on Linux only")
def test_peak_memory_is_of_this_function():
    size = 2**27
    large = measure("large", lambda: torch.ones(size, dtype=torch.uint8), [()], spread=1.0)
    small = measure("small", lambda: torch.ones(8), [()], spread=1.0)
    assert large.peak_memory - small.peak_memory > size / 2


def test_limits_are_measured(monkeypatch):
    monkeypatch.setattr(bench, "_LONGEST", 0.5)  # seconds; a busy machine takes all of them
    machine = limits("cpu", size=256, copied=2**22)
    assert 1e6 < machine.copy < 1e13
    assert 1e6 < machine.matmul < 1e14


def test_share_is_of_the_nearer_limit():
    one = Measurement("f", "cuda", (1.0, 2.0, 3.0), 9, 5.0, 0, True, moved=100, flops=10)
    assert one.share(Limits(copy=100, matmul=100)) == 0.5
    assert one.spread == 1.0


def test_table_and_plot():
    one = Measurement("a<b", "cpu", (1e-3, 2e-3, 3e-3), 9, 1.5, 2**20, False)
    shown = Comparison((one,))
    assert "2 ms" in str(shown)
    assert "a&lt;b" in shown._repr_html_() and "<rect" in shown._repr_html_()


def test_cold_needs_a_gpu():
    with pytest.raises(ValueError, match="GPU"):
        measure("sin", torch.sin, [(torch.ones(1),)], cold=True)
    with pytest.raises(ValueError, match="at least one"):
        measure("sin", torch.sin, [])
