"""An MLP split over two processes: matmuls and communication in the forward graph, for two ways to lay out tokens."""

import torch
from _two import on_two_processes
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

from compile_lessons import Table, capture, show

PLANS = {
    "all tokens everywhere": {"0": ColwiseParallel(), "2": RowwiseParallel()},
    "tokens split": {
        "0": ColwiseParallel(input_layouts=Shard(0)),
        "2": RowwiseParallel(output_layouts=Shard(0)),
    },
}


def operators(rank):
    rows, mesh = [], init_device_mesh("cpu", (2,))
    for name, plan in PLANS.items():
        mlp = nn.Sequential(nn.Linear(64, 256, bias=False), nn.GELU(), nn.Linear(256, 64, bias=False))
        parallelize_module(mlp, mesh, plan)
        tokens = torch.ones(8 if name == "tokens split" else 16, 64)
        (graph,) = capture(mlp, until="aot", backward=False)(tokens).graphs
        for node in graph.forward.calls:
            kind = node.target.split(".")[1]
            if kind in ("mm", "wait_tensor") or "_c10d" in node.target:
                rows.append([name, kind, str(node.tensors[0].shape)])
    return rows


rows = on_two_processes(operators)
show(Table(["layout", "operator", "result on each process"], rows))
# region checks
names = {layout: [name for plan, name, _ in rows if plan == layout] for layout in PLANS}
assert names["all tokens everywhere"] == ["mm", "mm", "all_reduce", "wait_tensor"]
gather, scatter = ["all_gather_into_tensor", "wait_tensor"], ["reduce_scatter_tensor", "wait_tensor"]
assert names["tokens split"] == [*gather, "mm", "mm", *scatter]
assert [shape for plan, name, shape in rows if name == "mm"] == ["(16, 128)", "(16, 64)"] * 2
# endregion
