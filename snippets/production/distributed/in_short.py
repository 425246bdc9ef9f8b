# /// lesson
# needs = ["compiler"]
# ///
"""DDP with one graph: compile the model, then wrap it. Here with one process."""

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

store = distributed.HashStore()  # torchrun needs no store, rank and world_size
distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
torch._dynamo.config.optimize_ddp = False  # measure it against the default, True
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())
ddp = DistributedDataParallel(torch.compile(model))
ddp(torch.randn(4, 64)).sum().backward()
distributed.destroy_process_group()

# region checks
assert model[0].weight.grad is not None
# endregion
