# /// lesson
# needs = ["compiler"]
# ///
"""An all-reduce with async_op=True breaks the graph at its launch and at its wait."""

import torch
import torch.distributed as dist
from _alone import calls, join_group

from compile_lessons import capture

join_group(2)


# region functions
def with_async_op(x, half, gate):
    partial = x @ half
    work = dist.all_reduce(partial, async_op=True)
    gated = (x @ gate).relu()
    work.wait()
    return partial + gated


def without(x, half, gate):
    partial = x @ half
    dist.all_reduce(partial)
    gated = (x @ gate).relu()
    return partial + gated


# endregion
options = {
    "reorder_for_compute_comm_overlap": True,
    "reorder_for_compute_comm_overlap_passes": ["sink_waits"],
}
inputs = [torch.ones(64, 64) for _ in range(3)]
found = {}
for function in (with_async_op, without):
    with torch.no_grad():
        pipeline = capture(function, options=options, machine_code=False)(*inputs)
    print(f"{function.__name__}: {len(pipeline.breaks)} breaks")
    graphs = [", ".join(calls(graph.kernels)) for graph in pipeline.graphs]
    for graph in graphs:
        print(f"    {graph}")
    found[function.__name__] = graphs
# region checks
assert len(found["with_async_op"]) == 3
[graph] = found["without"]
assert graph == "mm, all_reduce 1, mm, wait 1, fused_add_relu"
# endregion
