"""The MLP of a transformer, whole and split over two GPUs."""

import re
from time import perf_counter

import torch
import torch.distributed as dist
from torch import nn
from torch._inductor.utils import run_and_get_code  # private
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)

TOKENS, WIDTH, HIDDEN = 8192, 8192, 28672


class Mlp(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up, self.down = (
            nn.Linear(width, hidden, bias=False),
            nn.Linear(hidden, width, bias=False),
        )

    def forward(self, x):
        return self.down(nn.functional.gelu(self.up(x)))


def split(mlp, device):
    """Each process keeps half of the hidden width, and half of the tokens before and
    after.
    """
    mesh = init_device_mesh(device, (2,))
    plan = {
        "up": ColwiseParallel(input_layouts=Shard(0)),  # gathers the tokens
        # sums up, and scatters the tokens
        "down": RowwiseParallel(output_layouts=Shard(0)),
    }
    return parallelize_module(mlp, mesh, plan)


def on_gpu(parallel):
    """Return the MLP, split if ``parallel``, and its input, in bfloat16."""
    torch.manual_seed(0)
    with torch.device("cuda"):
        mlp = Mlp(WIDTH, HIDDEN).to(torch.bfloat16)
        x = torch.randn(TOKENS, WIDTH).to(torch.bfloat16)
    return (split(mlp, "cuda"), x.chunk(2)[dist.get_rank()]) if parallel else (mlp, x)


def compiled(mlp, x, options):
    """Compile with ``options``. Return the compiled MLP and the operators that
    communicate in its code.
    """
    function = torch.compile(mlp, options=options)
    result, (code,) = run_and_get_code(function, x)
    torch.testing.assert_close(result, mlp(x), rtol=0.1, atol=0.05)
    calls = re.findall(r"= torch\.ops\.((?:_c10d_functional|symm_mem)\.\w+)", code)
    return function, ", ".join(dict.fromkeys(calls))


def milliseconds(cases):
    """Return seven times of each function, in turn, in milliseconds; every function
    runs on both GPUs at once.
    """
    times = {name: [] for name in cases}
    for name in [*cases] * 8:
        function, x = cases[name]
        dist.barrier()
        torch.cuda.synchronize()
        began = perf_counter()
        for _ in range(20):
            function(x)
        torch.cuda.synchronize()
        times[name].append((perf_counter() - began) / 20 * 1e3)
    # the first one warms up
    return {name: samples[1:] for name, samples in times.items()}
