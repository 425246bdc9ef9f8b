# /// lesson
# needs = ["compiler"]
# ///
"""An all-reduce in a compiled function: two nodes and two calls."""

import torch
import torch.distributed as dist
from _alone import join_group

from compile_lessons import Table, capture, show

join_group(2)


def project(x, half):
    partial = x @ half
    dist.all_reduce(partial)
    return partial.relu()


x = torch.ones(64, 32)
half = torch.ones(32, 64)
with torch.no_grad():
    [graph] = capture(project, machine_code=False)(x, half).graphs
lowered = graph.inductor[0]
print("graph:", ", ".join(node.name for node in lowered.post_grad.calls))
show(Table(["node", "class"], [[node.name, node.kind] for node in lowered.ir]))
print(lowered.output_code.split("def call")[1].split("runner")[0])
# region checks
kinds = [node.kind for node in lowered.ir]
assert kinds == ["ExternKernelOut", "_AllReduce_Kernel", "_WaitKernel", "Pointwise"]
# endregion
