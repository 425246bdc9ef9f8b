# /// lesson
# needs = ["compiler"]
# ///
"""A tensor-parallel MLP in one graph. Here with one process."""

# region copy
import torch
from torch import distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import parallel

store = distributed.HashStore()  # torchrun needs no store, rank and world_size
distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
mlp = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))
plan = {"0": parallel.ColwiseParallel(), "2": parallel.RowwiseParallel()}
parallel.parallelize_module(mlp, init_device_mesh("cpu", (1,)), plan)
compiled = torch.compile(mlp, fullgraph=True)
print(compiled(torch.randn(4, 64)).shape)
distributed.destroy_process_group()
# endregion
