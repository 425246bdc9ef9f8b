"""The MLP of a transformer, whole and split over two GPUs."""

import re
from statistics import median
from time import perf_counter

import torch
import torch.distributed as dist
from torch import nn

# private: torch has no public way to the code of a call
from torch._inductor.utils import run_and_get_code
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)

TOKENS = 8192
WIDTH = 8192
HIDDEN = 28672
#: Operators that communicate, as generated code calls them.
COMMUNICATION = re.compile(r"= torch\.ops\.((?:_c10d_functional|symm_mem)\.\w+)")


class Mlp(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down(nn.functional.gelu(self.up(x)))


def on_one_gpu():
    """Return the MLP and its input, in bfloat16."""
    torch.manual_seed(0)
    with torch.device("cuda"):
        mlp = Mlp(WIDTH, HIDDEN).to(torch.bfloat16)
        x = torch.randn(TOKENS, WIDTH).to(torch.bfloat16)
    return mlp, x


def on_two_gpus():
    """Return this process's part of the MLP and of its input: half of the hidden width,
    and half of the tokens.
    """
    mlp, x = on_one_gpu()
    plan = {
        "up": ColwiseParallel(input_layouts=Shard(0)),  # gathers the tokens
        # sums up, and scatters the tokens
        "down": RowwiseParallel(output_layouts=Shard(0)),
    }
    part = parallelize_module(mlp, init_device_mesh("cuda", (2,)), plan)
    return part, x.chunk(2)[dist.get_rank()]


def compile_and_check(mlp, x, **options):
    """Compile with ``options``, and compare with eager mode. Return the compiled MLP
    and the operators that communicate in its code.
    """
    compiled = torch.compile(mlp, options=options)
    result, (code,) = run_and_get_code(compiled, x)
    torch.testing.assert_close(result, mlp(x), rtol=0.1, atol=0.05)
    operators = dict.fromkeys(COMMUNICATION.findall(code))  # each once
    return compiled, ", ".join(operators)


def milliseconds(cases):
    """Return seven times of each MLP with its input, in turn, in milliseconds; each
    runs on both GPUs at once.
    """
    times = {name: [] for name in cases}
    for _ in range(8):
        for name, (mlp, x) in cases.items():
            times[name].append(_milliseconds(mlp, x))
    # the first one warms up
    return {name: samples[1:] for name, samples in times.items()}


def _milliseconds(mlp, x, calls=20):
    dist.barrier()
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(calls):
        mlp(x)
    torch.cuda.synchronize()
    return (perf_counter() - began) / calls * 1e3


def rows_compared_with_the_first(times):
    """Return a row for each name: the median, the range, and the ratio of medians."""
    first, *_ = times.values()
    rows = []
    for name, samples in times.items():
        middle = median(samples)
        spread = f"{min(samples):.2f} to {max(samples):.2f}"
        rows.append([name, f"{middle:.2f}", spread, f"{middle / median(first):.2f}"])
    return rows
