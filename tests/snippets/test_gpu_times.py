"""The facts of docs/gpu/times.md, from recordings on an H200."""

from __future__ import annotations

import importlib
import operator

import pytest

from compile_lessons.gpu.tools import why_no_triton


def test_fused_kernels_are_faster(recording):
    values = recording("gpu/h200_times.py").values
    assert values["gelu_speedup"] > values["norm_speedup"] > values["softmax_speedup"] > 1
    assert 0.8 < values["gelu_share"] < 1.05
    assert 2 < values["copy_tb"] < 4.8  # the data sheet's bandwidth
    assert values["spread"] < 0.1


def test_cuda_graphs_save_launches(recording):
    values = recording("gpu/h200_cuda_graphs.py").values
    assert values["graphs_us"] < min(values["eager_us"], values["compiled_us"])
    assert values["graphs_speedup"] > 1.5


def test_a_call_returns_before_its_work_is_done(recording):
    values = recording("gpu/h200_async.py").values
    assert values["returned_ms"] < values["finished_ms"] / 10
    assert 0.5 < values["measured_ms"] / values["finished_ms"] < 2


@pytest.mark.parametrize("name", ["h200_times", "h200_cuda_graphs"])
def test_tables_have_a_plot(recording, name):
    (html,) = (output.rich["text/html"] for output in recording(f"gpu/{name}.py").outputs if output.rich)
    assert "<svg" in html and "currentColor" in html


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("torch.utils.benchmark.utils.timer", "Timer.adaptive_autorange"),
        ("torch._inductor.cudagraph_trees", "CUDAGraphTreeManager"),
        ("torch._inductor.config", "triton.cudagraphs"),
    ],
)
def test_symbols_named_on_the_page_exist(module, name):
    assert operator.attrgetter(name)(importlib.import_module(module)) is not None


@pytest.mark.skipif(bool(why_no_triton()), reason="needs triton")
def test_triton_s_timer_exists():
    assert callable(importlib.import_module("triton.testing").do_bench)
