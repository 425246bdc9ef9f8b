"""What to compile: the model before DDP wraps it, each block before FSDP2 shards it."""

import torch
from _blocks import Model
from _two import on_two_processes
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel


def train(rank):
    x = torch.ones(4, 8)
    # region copy
    # one graph: measure it against the default, True
    torch._dynamo.config.optimize_ddp = False
    model = DistributedDataParallel(torch.compile(Model()))  # DDP: compile, then wrap

    sharded = Model()
    for block in sharded.blocks:  # FSDP2: blocks of your own class, with a forward
        block.compile()
        fully_shard(block)
    fully_shard(sharded)
    # endregion
    return model, sharded, x


# nothing is called: the snippets below show what compiles
with torch.compiler.set_stance("force_eager"):
    model, sharded, x = on_two_processes(train)
