# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""The kernels of a chain and of softmax, compiled for an H200 that isn't there."""

import re
from collections import Counter
from functools import partial

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


def collect_plans(plans):
    """Keep the plans, and leave the graph to eager mode."""
    kept.update(plans)
    plans.clear()
    return {}


def collect_kernels(module):
    claims = partial(claims_triton, device="cpu")
    return compile_graph(module, collect_plans, partial(fuse, claims=claims))


# region count
instruction = re.compile(r"(?:ld|st)\.global[\w.:]*|ex2\.approx\S*")
backend = backend_of(collect_kernels, DECOMPOSITIONS)
rows = []
for function in (chain, softmax):
    kept = {}
    torch.compile(function, backend=backend, dynamic=False)(*inputs(1024, 1024))
    [(name, plan)] = kept.items()
    kernel = getattr(import_kernels(kept), name)
    _, height, width, warps = tiles(plan, 1024, 1024)
    tensors = [torch.empty(0, dtype=x.meta["val"].dtype) for x in plan.tensors]
    options = {"ROWS": height, "COLUMNS": width, "num_warps": warps}
    ptx = compile_kernel(kernel, *tensors, **options).ptx
    for found, times in Counter(instruction.findall(ptx)).items():
        rows.append([function.__name__, f"{height} x {width}", found, times])
show(Table(["function", "tile", "instruction", "count"], rows))
# endregion
# region checks
assert any("v4" in row[2] for row in rows)
assert {row[0] for row in rows} == {"chain", "softmax"}
# endregion
