"""The limits that the pages of *Inductor* name are those of the installed torch."""

import inspect
import re

import torch
from torch._inductor import config, ir, scheduler
from torch._inductor.codegen import cpp
from torch._inductor.graph import GraphLowering

#: The loops of snippets/inductor/fusion/logs.py.
FUSED = {"op0": "x.sum(1)", "op1": "x.amax(1)", "op2": "x.sum(0)", "op3": "x * 2"}


def test_when_a_value_is_realized() -> None:
    assert config.unroll_reductions_threshold == 8
    assert config.realize_reads_threshold == 4
    assert (config.realize_cpu_opcount_threshold, config._realize_opcount_threshold_default) == (50, 30)
    assert (config.realize_cpu_acc_reads_threshold, config._realize_acc_reads_threshold_default) == (12, 8)
    source = inspect.getsource(ir.StorageBox.should_realize_on_reuse)
    assert all(f'"{name}"' in source for name in ("exp", "log", "sigmoid", "tanh")) and '"erf"' not in source


def test_what_is_fused() -> None:
    assert (config.score_fusion_memory_threshold, config.max_fusion_size) == (10, 64)
    assert config.loop_ordering_after_fusion and config.keep_output_stride and not config.memory_planning
    source = inspect.getsource(scheduler.MixOrderReduction.can_fuse)
    assert "5 * 2**20" in source and "Ge(nrow, ncol * 2)" in source and "Ge(nrow, 4096)" in source


def test_vectors_and_threads() -> None:
    assert config.cpp.min_chunk_size == 512
    assert cpp.KernelOpStats.OVERHEAD_RATIO_THRESHOLD == 0.12
    select_tiling = inspect.getsource(cpp.TilingSelect.select_tiling)
    assert "quantity_threshold = 35" in select_tiling
    assert "< tiling_factor / 4" in select_tiling and "op_num < 10" in select_tiling
    assert torch.int16 not in cpp.VECTORIZABLE_DTYPES and torch.int64 in cpp.VECTORIZABLE_DTYPES


def test_a_graph_with_few_convolutions_keeps_its_layout() -> None:
    source = inspect.getsource(GraphLowering.decide_layout_opt)
    assert "len(list(gm.graph.nodes)) >= 300 * nconv" in source


def test_the_log_names_the_loops_in_the_order_of_the_code(record) -> None:
    text = record("inductor/fusion/logs.py").text
    nodes = re.findall(r"SchedulerNode\(name='(op\d)'\).*?in statistics', '\s*(x.*?),  # (op\d)", text)
    assert nodes[:4] == [(name, code, name) for name, code in FUSED.items()]
