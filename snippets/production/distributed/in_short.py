"""What to compile: the model before DDP wraps it, and each block before FSDP2 shards it."""

import torch
from _two import on_two_processes
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            x = block(x).relu()
        return x


def train(rank):
    x = torch.ones(4, 8)
    # region copy
    torch._dynamo.config.optimize_ddp = False  # one graph: measure it against the default, True
    model = DistributedDataParallel(torch.compile(Model()))  # DDP: compile, then wrap

    sharded = Model()
    for block in sharded.blocks:  # FSDP2: blocks of your own class, with a forward
        block.compile()
        fully_shard(block)
    fully_shard(sharded)
    # endregion
    return model, sharded, x


with torch.compiler.set_stance("force_eager"):  # nothing is called: the snippets below show what compiles
    model, sharded, x = on_two_processes(train)
