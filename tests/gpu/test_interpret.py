"""Kernels written for a GPU, run on the CPU in Triton's interpreter: for real, in a process of its own."""

import json
import os
import subprocess
import sys

import pytest
import torch

from compile_lessons import capture
from compile_lessons.facts.gpu import H200
from compile_lessons.gpu.cross_compile import kernel_sources
from compile_lessons.gpu.interpret import NotInterpreted, interpreted

pytestmark = pytest.mark.usefixtures("triton")

FUNCTIONS = """
import torch
import torch.nn.functional as F

def pointwise(x):
    return x * torch.sigmoid(1.702 * x) + torch.erf(x)

def reduction(x):
    return x.sum(0) + x.var(0)

def softmax(x):
    return x.softmax(-1)

def norm(x):
    return F.layer_norm(x + F.gelu(x), x.shape[-1:])

def scan(x):
    return x.cumsum(-1)

def largest(x):
    return x.amax(-1), x.argmax(-1)

def with_matmul(x):
    return (x @ x.T).relu()

NAMES = ["pointwise", "reduction", "softmax", "norm", "scan", "largest", "with_matmul"]

def make():
    torch.manual_seed(0)
    return torch.randn(12, 80, requires_grad=True)
"""

CHILD = """
import json
from functions import *
from compile_lessons.facts.gpu import H200
from compile_lessons.gpu.interpret import interpreted
from compile_lessons.api.compare import compared

found = {}
for name in NAMES:
    function, codes, x = globals()[name], [], make()
    comparison = compared(function, interpreted(function, H200, codes.append), (x,))
    kinds = sorted({value.kind for value in comparison.values})
    found[name] = {"equal": comparison.status == "equal" and not comparison.reason, "kinds": kinds, "codes": codes}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interpret")
    (folder / "functions.py").write_text(FUNCTIONS)
    (folder / "child.py").write_text(CHILD)
    return folder


@pytest.fixture(scope="module")
def found(folder):
    environment = os.environ | {"TRITON_INTERPRET": "1", "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}
    child = subprocess.run([sys.executable, folder / "child.py"], env=environment, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


def functions(folder):
    namespace = {}
    exec(compile(FUNCTIONS, folder / "functions.py", "exec"), namespace)
    return namespace


@pytest.mark.parametrize("name", ["pointwise", "reduction", "softmax", "norm", "scan", "largest", "with_matmul"])
def test_it_computes_what_eager_does(found, name):
    assert found[name]["equal"]
    assert "output" in found[name]["kinds"] and "gradient" in found[name]["kinds"]
    assert sum(len(kernel_sources(code)) for code in found[name]["codes"]) >= 1


@pytest.mark.parametrize("name", ["pointwise", "softmax"])
def test_the_kernels_are_those_for_the_gpu(found, folder, name):
    pipeline = capture(functions(folder)[name], target="h200")(functions(folder)["make"]())
    ours = [source for code in found[name]["codes"] for source in kernel_sources(code).values()]
    assert ours == [kernel.source for kernel in pipeline.gpu_kernels]


def test_it_needs_a_process_of_its_own(monkeypatch):
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    with pytest.raises(NotInterpreted, match="TRITON_INTERPRET=1"):
        interpreted(torch.sin, H200, print)
