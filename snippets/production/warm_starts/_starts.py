"""Start one model in several ways, each in a process forked after the imports."""

import os
import shutil
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter

import torch

# private: torch has no public counters
from torch._dynamo.utils import counters

# private: imports the compiler, so that no start does
from torch._inductor import compile_fx, cpu_vec_isa  # noqa: F401

torch.manual_seed(0)
torch.set_grad_enabled(False)
layers = [torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32)]
model = torch.nn.Sequential(*layers).eval()
x = torch.randn(16, 32)


def serve(model, x):
    return model(x)


def load(folder, way):
    """Return the function that serves a request."""
    if way == "AOTInductor":
        package = str(folder / "model.pt2")
        return torch._inductor.aoti_load_package(package)  # no public name
    if way == "aot_compile":
        with open(folder / "serve.bin", "rb") as file:
            loaded = torch.compiler.load_compiled_function(file)
        return lambda x: loaded(model, x)
    if way == "load_cache_artifacts":
        artifacts = (folder / "artifacts.bin").read_bytes()
        torch.compiler.load_cache_artifacts(artifacts)
    compiled = torch.compile(serve, fullgraph=True)
    return lambda x: compiled(model, x)


def save(folder):
    """Write the files that the other ways load."""
    warnings.simplefilter("ignore")  # torch's own, while it exports
    artifacts, _ = torch.compiler.save_cache_artifacts()
    (folder / "artifacts.bin").write_bytes(artifacts)
    compiled = torch.compile(serve, fullgraph=True).aot_compile(((model, x), {}))
    compiled.save_compiled_function(str(folder / "serve.bin"))
    # no public name
    torch._inductor.aoti_compile_and_package(
        torch.export.export(model, (x,)),
        package_path=f"{folder}/model.pt2",
        inductor_configs={
            "aot_inductor.precompile_headers": False,
            "aot_inductor.compile_wrapper_opt_level": "O0",
        },
    )


def start(folder, way, name):
    """Answer the first request. Returns how that went."""
    cache = folder / name
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(cache)
    if name == "copied":
        shutil.copytree(folder / "first", cache, dirs_exist_ok=True)
    before = len(list(cache.glob("??/*.main.so")))
    began = perf_counter()
    answer = load(folder, way)(x)
    seconds = perf_counter() - began
    torch.testing.assert_close(answer, model(x))
    outcome = {
        "way": way,
        "folder": "copied" if name == "copied" else "empty",
        "seconds": seconds,
        "graphs": counters["stats"]["unique_graphs"],
        "hits": counters["aot_autograd"]["autograd_cache_hit"],
        "kernels": len(list(cache.glob("??/*.main.so"))) - before,
    }
    if name == "first":
        save(folder)
    return outcome


def in_a_fork(function, *arguments):
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        return process.submit(function, *arguments).result()


def run(folder, way, name):
    """Start the model in a process of its own. Returns how that went."""
    return in_a_fork(start, folder, way, name)


def compile_anything():
    with tempfile.TemporaryDirectory() as empty:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = empty
        torch.compile(torch.neg)(torch.ones(2))


def prepare():
    """Find out the vector instructions, and build the precompiled header."""
    cpu_vec_isa.pick_vec_isa()
    in_a_fork(compile_anything)
