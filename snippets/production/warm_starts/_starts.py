"""Start one model in several ways, each in a process forked after the imports, which prints one line of JSON."""

import json
import os
import shutil
import sys
from pathlib import Path
from time import perf_counter

import torch
import torch._dynamo
import torch._inductor.compile_fx

folder = Path(sys.argv[1])
torch.manual_seed(0)
torch.set_grad_enabled(False)
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32)).eval()
x = torch.randn(16, 32)


def serve(model, x):
    return model(x)


def load(way):
    """Return the function that serves a request."""
    if way == "AOTInductor":
        return torch._inductor.aoti_load_package(str(folder / "model.pt2"))
    if way == "aot_compile":
        with open(folder / "serve.bin", "rb") as file:
            loaded = torch.compiler.load_compiled_function(file)
        return lambda x: loaded(model, x)
    if way == "load_cache_artifacts":
        torch.compiler.load_cache_artifacts((folder / "artifacts.bin").read_bytes())
    return lambda x: torch.compile(serve, fullgraph=True)(model, x)


def save():
    """Write the files that the other ways load."""
    (folder / "artifacts.bin").write_bytes(torch.compiler.save_cache_artifacts()[0])
    compiled = torch.compile(serve, fullgraph=True).aot_compile(((model, x), {}))
    compiled.save_compiled_function(str(folder / "serve.bin"))
    exported, options = torch.export.export(model, (x,)), {"aot_inductor.precompile_headers": False}
    torch._inductor.aoti_compile_and_package(exported, package_path=f"{folder}/model.pt2", inductor_configs=options)


def start(way, name):
    cache = folder / name
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(cache)
    if name == "copied":
        shutil.copytree(folder / "first", cache, dirs_exist_ok=True)
    before = len(list(cache.glob("??/*.main.so")))
    began = perf_counter()
    answer = load(way)(x)
    seconds = perf_counter() - began
    torch.testing.assert_close(answer, model(x))
    counters = torch._dynamo.utils.counters
    graphs, hits = counters["stats"]["unique_graphs"], counters["aot_autograd"]["autograd_cache_hit"]
    kernels = len(list(cache.glob("??/*.main.so"))) - before
    kind = "copied" if name == "copied" else "empty"
    print(
        json.dumps(dict(way=way, folder=kind, seconds=seconds, graphs=graphs, hits=hits, kernels=kernels)), flush=True
    )
    if way == "torch.compile" and name == "first":
        save()


starts = [("torch.compile", "first"), ("torch.compile", "copied"), ("load_cache_artifacts", "second")]
starts += [("aot_compile", "third"), ("aot_compile", "copied"), ("AOTInductor", "fourth"), ("AOTInductor", "copied")]
for way, name in starts:
    if not (child := os.fork()):
        start(way, name)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"{way} failed")
