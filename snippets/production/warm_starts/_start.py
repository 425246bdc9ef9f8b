"""A process that starts a service: how it gets its compiled model, and how long the first call takes."""

import json
import sys
from pathlib import Path
from time import perf_counter

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(32), nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        return (x + self.down(nn.functional.gelu(self.up(self.norm(x))))).softmax(-1)


torch.manual_seed(0)
model, x, way, folder = Model().eval(), torch.randn(16, 32), sys.argv[1], Path(sys.argv[2])


def start():
    """Return what serves a request."""
    if way == "eager":
        return model
    if way == "load_cache_artifacts":
        torch.compiler.load_cache_artifacts((folder / "artifacts").read_bytes())
    if way == "load AOTInductor":
        return torch._inductor.aoti_load_package(str(folder / "model.pt2"))
    if way == "load aot_compile":
        with open(folder / "aot", "rb") as file:
            loaded = torch.compiler.load_compiled_function(file, external_data={"model": model})
        return lambda x: loaded(x)
    return torch.compile(model, fullgraph=True)


def save():
    """Write what later processes load."""
    (folder / "artifacts").write_bytes(torch.compiler.save_cache_artifacts()[0])
    torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)), package_path=str(folder / "model.pt2"))


import torch._dynamo
import torch._inductor

with torch.no_grad():
    began = perf_counter()
    serve = start()
    result = serve(x)
    seconds = perf_counter() - began
    equal = torch.allclose(result, model(x), atol=1e-6)
    counters = torch._dynamo.utils.counters
    if way == "cold":
        save()
hits = counters["inductor"]["fxgraph_cache_hit"], counters["aot_autograd"]["autograd_cache_hit"]
print(json.dumps({"seconds": seconds, "frames": counters["frames"]["total"], "hits": sum(hits), "equal": equal}))
