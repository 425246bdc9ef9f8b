"""An MLP over two processes: matmuls and communication, for two layouts of tokens."""

import torch
from _ranks import on_two_ranks
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)

from compile_lessons import Table, capture, show

# region plans
plans = {
    "all tokens everywhere": {"0": ColwiseParallel(), "2": RowwiseParallel()},
    "tokens split": {
        "0": ColwiseParallel(input_layouts=Shard(0)),
        "2": RowwiseParallel(output_layouts=Shard(0)),
    },
}


def split_mlp(plan):
    up = nn.Linear(64, 256, bias=False)
    down = nn.Linear(256, 64, bias=False)
    mlp = nn.Sequential(up, nn.GELU(), down)
    return parallelize_module(mlp, init_device_mesh("cpu", (2,)), plan)


# endregion
def operators(rank):
    rows = []
    for name, plan in plans.items():
        tokens = torch.ones(8 if name == "tokens split" else 16, 64)
        [graph] = capture(split_mlp(plan), until="aot", backward=False)(tokens).graphs
        for node in graph.forward.calls:
            kind = node.target.split(".")[1]
            if kind in ("mm", "wait_tensor") or "_c10d" in node.target:
                rows.append([name, kind, str(node.tensors[0].shape)])
    return rows


rows = on_two_ranks(operators)
show(Table(["layout", "operator", "result on each process"], rows))

# region checks
everywhere = [row[1] for row in rows if row[0] == "all tokens everywhere"]
split = [row[1] for row in rows if row[0] == "tokens split"]
assert everywhere == ["mm", "mm", "all_reduce", "wait_tensor"]
assert split[:2] == ["all_gather_into_tensor", "wait_tensor"]
assert split[2:] == ["mm", "mm", "reduce_scatter_tensor", "wait_tensor"]
matmuls = [row[2] for row in rows if row[1] == "mm"]
assert matmuls == ["(16, 128)", "(16, 64)"] * 2
# endregion
