# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernels of layer norm and a chain, compiled for an H200 that isn't there."""

import re
from collections import Counter

import torch
from _functions import chain, inputs, softmax
from _step2_interpret import backend_of
from _step4_backend import compile_graph
from _step4_fusion import fuse
from _step5_triton import DECOMPOSITIONS, claims_triton, import_kernels, tiles

from compile_lessons import Table, show
from compile_lessons.gpu import compile_kernel


def compile_only(plans):
    """Compile the kernels for an H200, and leave the graph to eager mode."""
    for name, plan in plans.items():
        _, height, width, warps = tiles(plan, 1024, 1024)
        tensors = [torch.empty(0, dtype=x.meta["val"].dtype) for x in plan.tensors]
        kernel = getattr(import_kernels(plans), name)
        ptx = compile_kernel(kernel, *tensors, ROWS=height, COLUMNS=width, num_warps=warps).ptx
        count = Counter(re.findall(r"(?:ld|st)\.global[\w.:]*|ex2\.approx\S*", ptx))
        rows.extend([function.__name__, f"{height} x {width}", instruction, n] for instruction, n in count.items())
    plans.clear()
    return {}


def compile_ptx(module):
    return compile_graph(module, compile_only, lambda graph: fuse(graph, lambda node: claims_triton(node, "cpu")))


rows = []
for function in (chain, softmax):
    torch.compile(function, backend=backend_of(compile_ptx, DECOMPOSITIONS), dynamic=False)(*inputs(1024, 1024))
show(Table(["function", "tile", "instruction", "count"], rows))
# region checks
assert any("v4" in row[2] for row in rows) and {row[0] for row in rows} == {"chain", "softmax"}
# endregion
