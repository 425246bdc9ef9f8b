"""A transformer of 12 blocks of width 1024, and its training step in seven variants."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from types import FunctionType
from typing import NamedTuple

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch._dynamo.utils import counters  # private: torch has no public counter
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.nn.parallel import DistributedDataParallel

WIDTH = 1024
HEADS = 16
BLOCKS = 12
BATCH = 8
LENGTH = 1024


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.project = nn.Linear(WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)

    def attention(self, x):
        qkv = self.qkv(x).unflatten(2, (3, HEADS, -1))
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.project(attended.transpose(1, 2).flatten(2))

    def mlp(self, x):
        return self.narrow(F.gelu(self.widen(x), approximate="tanh"))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(WIDTH, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return x


# region wrap
def one_gpu(model, compiled):
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


class Variant(NamedTuple):
    """How the model is wrapped, whether it is compiled, and Dynamo's setting."""

    wrap: Callable
    compiled: bool = False
    optimize_ddp: bool = True


class Measured(NamedTuple):
    """The graphs that were compiled, and the times of nine samples of ten steps."""

    graphs: int
    median_ms: float
    least_ms: float
    most_ms: float


def measure(variants):
    """Compile every step, then time them in turn. Return what was ``Measured``."""
    steps = {}
    graphs = {}
    for name, variant in variants.items():
        steps[name] = training_step(variant)
        graphs[name] = first_steps(steps[name], variant.optimize_ddp)
    times = {name: [] for name in variants}
    for _ in range(9):  # in turn, so that a slow moment hits all
        for name, step in steps.items():
            times[name].append(milliseconds(step))
    return {
        name: Measured(graphs[name], median(some), min(some), max(some))
        for name, some in times.items()
    }


def training_step(variant):
    """Return a function that makes one step, with autocast where the wrapper doesn't
    choose the dtypes.
    """
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = variant.wrap(with_own_code()(), variant.compiled)
        x = torch.randn(BATCH, LENGTH, WIDTH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    mixed = torch.autocast("cuda", torch.bfloat16, enabled=variant.wrap is not fsdp)

    def step():
        with mixed:
            loss = model(x).float().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def with_own_code():
    """Return a subclass whose ``forward`` is a copy, as compiled versions belong to a
    code object.
    """
    original = Transformer.forward
    code = original.__code__.replace()
    forward = FunctionType(code, original.__globals__, closure=original.__closure__)
    return type("Transformer", (Transformer,), {"forward": forward})


def first_steps(step, optimize_ddp):
    """Make two steps, which compile. Return how many graphs AOTAutograd compiled."""
    counters.clear()
    with torch._dynamo.config.patch(optimize_ddp=optimize_ddp):
        for _ in range(2):
            step()
    return counters["aot_autograd"]["total"]


def milliseconds(step, calls=10):
    dist.barrier()
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        step()
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e3
