# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""DDP's all-reduces in a compiled backward pass, for two sizes of buckets."""

import torch
import torch.distributed as dist
from _ddp import Model

# private: torch has no public way to get the code
from torch._inductor.utils import run_and_get_code
from torch.nn.parallel import DistributedDataParallel

# private: the store of a group that sends nothing
from torch.testing._internal.distributed.fake_pg import FakeStore

from compile_lessons import Table, show

dist.init_process_group("fake", rank=0, world_size=2, store=FakeStore())
# region step
torch._dynamo.config.compiled_autograd = True
torch._dynamo.config.optimize_ddp = "python_reducer"


def count_sends(megabytes):
    torch.compiler.reset()
    ddp = DistributedDataParallel(Model(), bucket_cap_mb=megabytes)

    @torch.compile
    def step(x):
        ddp(x).sum().backward()

    _, codes = run_and_get_code(step, torch.ones(2, 512))
    return "".join(codes).count("all_reduce_.default(")


# endregion
rows = [[megabytes, count_sends(megabytes)] for megabytes in (1, 25)]
show(Table(["bucket_cap_mb", "all-reduces in the backward code"], rows))
# region checks
assert [row[1] for row in rows] == [4, 2]
# endregion
