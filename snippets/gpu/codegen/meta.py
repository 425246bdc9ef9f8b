# /// lesson
# needs = ["triton"]
# ///
"""What the launcher is told about a kernel: size_hints, inductor_meta, triton_meta."""

import ast
import re

import torch

from compile_lessons import Table, capture, show


def normalize(x, scale):
    return torch.softmax(x * scale, -1)


x = torch.empty(4096, 4096)
pipeline = capture(normalize, target="h200", machine_code=False)(x, x.clone())
[kernel] = pipeline.graphs[0].kernels
[text] = re.findall(r"inductor_meta=(\{.*\})", kernel.source)
meta = ast.literal_eval(text.replace("set()", "()"))
NAMES = [
    *("grid_type", "mutated_arg_names", "atomic_add_found", "num_load", "num_store"),
    *("num_reduction", "tiling_scores", "add_persistent_rblock", "autotune_pointwise"),
    *("max_autotune", "dynamic_scale_rblock", "spill_threshold", "deterministic"),
]
rows = [[name, str(meta[name])] for name in NAMES]
show(Table(["inductor_meta", "value"], rows))
# region checks
assert meta["num_reduction"] == 2
# endregion
