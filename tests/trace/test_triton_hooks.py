"""The collector notes the compiles of a program's own Triton kernels, also without a GPU to launch them on."""

import os
import subprocess
import sys

import pytest

from compile_lessons.facts.run import Process
from compile_lessons.trace.read import read_run
from compile_lessons.trace.run import environment

pytest.importorskip("triton")

#: It compiles for a GPU that is not there, and launches nothing.
PROGRAM = """
import torch, triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.runtime import driver

class Driver:
    def get_current_target(self): return GPUTarget("cuda", 90, 32)
    def get_current_device(self): return 0
    def get_current_stream(self, device): return 0
    def get_active_torch_device(self): return torch.device("cpu")
    def get_benchmarker(self): return lambda call, quantiles: [call()] and [1.0, 1.0, 1.0]

driver.set_active(Driver())
heard = []
triton.knobs.compilation.listener = lambda **event: heard.append(event["cache_hit"])

@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) * 2, at < n)

tuned = triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"])(scale)
x = torch.ones(4096)

def launch(kernel, tensor, n, **options):
    kernel.run(tensor, x, n, grid=(4,), warmup=True, **options)

for n in [1024] * 6 + [1023, 1]:
    launch(scale, x, n, BLOCK=256)
launch(scale, x[1:], 1024, BLOCK=256)
for n in 64, 65:
    launch(tuned, x, n)
assert heard == [False] * 4 + [False] * 4, heard
"""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Process:
    folder, program = tmp_path_factory.mktemp("records"), tmp_path_factory.mktemp("program") / "kernels.py"
    program.write_text(PROGRAM)
    env = environment(folder) | {"TRITON_CACHE_DIR": str(program.parent / "cache")}
    done = subprocess.run([sys.executable, str(program)], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (process,) = read_run(folder).processes
    assert not process.missing, process.missing
    return process


def test_each_compile_has_its_arguments(process: Process) -> None:
    rows = [
        (item.launch, {given.name: (given.type, given.value, given.special) for given in item.arguments})
        for item in process.kernels
        if not item.searching
    ]
    assert [(launch, given["n"], given["x"]) for launch, given in rows] == [
        (1, ("i32", "1024", "divisible by 16"), ("*fp32", None, "divisible by 16")),
        (7, ("i32", "1023", ""), ("*fp32", None, "divisible by 16")),
        (8, ("i32", "1", "constant"), ("*fp32", None, "divisible by 16")),
        (9, ("i32", "1024", "divisible by 16"), ("*fp32", None, "")),
    ]
    assert all(given["BLOCK"] == ("constexpr", "256", "constexpr") for _, given in rows)
    assert all(item.cached is False and item.seconds > 0 for item in process.kernels)


def test_each_compile_has_the_users_line(process: Process) -> None:
    assert {os.path.basename(item.line.file) for item in process.kernels if item.line} == {"kernels.py"}
    assert {item.line.function for item in process.kernels if item.line and not item.searching} == {"launch"}


def test_a_search_has_its_key(process: Process) -> None:
    assert [(search.keys, search.configurations) for search in process.searches] == [
        ((("n", "64"),), 2),
        ((("n", "65"),), 2),
    ]
    assert [item.searching for item in process.kernels] == [False] * 4 + [True] * 4
