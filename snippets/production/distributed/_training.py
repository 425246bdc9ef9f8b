"""A transformer of 12 blocks of width 1024, and its training step in seven variants."""

from statistics import median
from time import perf_counter
from types import FunctionType

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch._dynamo.utils import counters  # private: torch has no public counter
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.parallel import DistributedDataParallel

WIDTH, HEADS, BLOCKS, BATCH, LENGTH = 1024, 16, 12, 8, 1024


class Block(nn.Module):
    def __init__(self, width=WIDTH):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = (
            nn.Linear(width, 4 * width),
            nn.Linear(4 * width, width),
        )

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (
            self.qkv(self.norm1(x))
            .view(batch, length, 3, HEADS, -1)
            .permute(2, 0, 3, 1, 4)
        )
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.narrow(F.gelu(self.widen(self.norm2(x)), approximate="tanh"))


class Transformer(nn.Module):
    def __init__(self, width=WIDTH, blocks=BLOCKS):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(blocks))

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return x


# region wrap
def one(model, compiled):
    return torch.compile(model) if compiled else model


def ddp(model, compiled):
    replica = DistributedDataParallel(model)
    return torch.compile(replica) if compiled else replica


def fsdp(model, compiled):
    half = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for block in model.blocks:
        if compiled:
            block.compile()
        fully_shard(block, mp_policy=half)
    return fully_shard(model, mp_policy=half)


# endregion


def with_own_code():
    """Return a subclass whose ``forward`` is a copy, as compiled versions belong to a
    code object.
    """
    original = Transformer.forward
    forward = FunctionType(
        original.__code__.replace(), original.__globals__, closure=original.__closure__
    )
    return type("Transformer", (Transformer,), {"forward": forward})


def training_step(wrap, compiled, device, sizes=(WIDTH, BLOCKS), batch=(BATCH, LENGTH)):
    """Return a function that makes one step, with autocast where ``wrap`` doesn't
    choose the dtypes.
    """
    torch.manual_seed(0)
    with torch.device(device):
        wrapped = wrap(with_own_code()(*sizes), compiled)
        x = torch.randn(*batch, sizes[0])
    optimizer = torch.optim.AdamW(wrapped.parameters(), lr=1e-4, fused=True)

    def step():
        with torch.autocast(device, torch.bfloat16, enabled=wrap is not fsdp):
            loss = wrapped(x).float().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def first_step(step, optimize_ddp):
    """Make the first two steps, which compile. Return the number of graphs that
    AOTAutograd compiled.
    """
    counters.clear()
    with torch._dynamo.config.patch(optimize_ddp=optimize_ddp):
        for _ in range(2):
            step()
    return counters["aot_autograd"]["total"]


def measure(variants):
    """Compile every step, then time them in turn. Return for each the graphs, and
    median, least and most ms.
    """
    steps, graphs, times = {}, {}, {name: [] for name in variants}
    for name, (wrap, compiled, optimize_ddp) in variants.items():
        steps[name] = training_step(wrap, compiled, "cuda")
        graphs[name] = first_step(steps[name], optimize_ddp)
    for _ in range(9):  # in turn, so that a slow moment hits all
        for name, step in steps.items():
            times[name].append(_milliseconds(step))
    return {
        name: (graphs[name], median(some), min(some), max(some))
        for name, some in times.items()
    }


def _milliseconds(step, calls=10):
    dist.barrier()
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        step()
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e3
