"""Start a model in a new process with an empty cache folder."""

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

import torch

# private: torch has no public counters
from torch._dynamo.utils import counters

# private: imports the compiler, so that no process does
from torch._inductor import compile_fx  # noqa: F401


def first_call(port, setting):
    folder = tempfile.mkdtemp()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
    os.environ["TORCHINDUCTOR_REDIS_PORT"] = str(port)
    torch._inductor.config.fx_graph_remote_cache = setting != "off"
    torch._functorch.config.enable_remote_autograd_cache = setting == "both"
    model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU())
    begin = perf_counter()
    with torch.no_grad():
        torch.compile(model)(torch.ones(16, 32))
    seconds = perf_counter() - begin
    return [
        counters["aot_autograd"]["autograd_cache_hit"],
        counters["inductor"]["fxgraph_cache_hit"],
        len(list(Path(folder).glob("fxgraph/*/*/*"))),
        len(list(Path(folder).glob("??/*.main.so"))),
        f"{seconds:.1f}",
    ]


def start(port, setting):
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        return process.submit(first_call, port, setting).result()
