# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernels of a chain and of softmax, compiled for an H200 that isn't there."""

import re
from collections import Counter

import torch
from _functions import chain, inputs, softmax
from _step2_interpret import backend_of
from _step4_backend import compile_graph
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS
from _step5_launch import import_kernels, tiles
from _step5_triton import claims_triton

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel


def collect(plans):
    """Write the kernels, and leave the graph to eager mode."""
    for name, plan in plans.items():
        jobs.append((function.__name__, plan, getattr(import_kernels({name: plan}), name)))
    plans.clear()
    return {}


def collect_kernels(module):
    return compile_graph(module, collect, lambda graph: fuse(graph, lambda node: claims_triton(node, "cpu")))


jobs, rows = [], []
for function in (chain, softmax):
    torch.compile(function, backend=backend_of(collect_kernels, DECOMPOSITIONS), dynamic=False)(*inputs(1024, 1024))
for function_name, plan, kernel in jobs:
    _, height, width, warps = tiles(plan, 1024, 1024)
    tensors = [torch.empty(0, dtype=x.meta["val"].dtype) for x in plan.tensors]
    ptx = compile_kernel(kernel, *tensors, ROWS=height, COLUMNS=width, num_warps=warps).ptx
    counts = Counter(re.findall(r"(?:ld|st)\.global[\w.:]*|ex2\.approx\S*", ptx))
    rows.extend([function_name, f"{height} x {width}", instruction, n] for instruction, n in counts.items())
show(Table(["function", "tile", "instruction", "count"], rows))
# region checks
assert any("v4" in row[2] for row in rows) and {row[0] for row in rows} == {"chain", "softmax"}
# endregion
