"""Machine code of hand-written kernels, without a GPU."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from compile_lessons.gpu import compile_kernel
from from_file import load_module

pytestmark = pytest.mark.usefixtures("triton")
SNIPPETS = Path(__file__).parents[2] / "snippets/gpu"


def load(name: str) -> ModuleType:
    module = load_module(Path(name).stem + "_by_hand", SNIPPETS / name)
    sys.modules[module.__name__] = module
    return module


def test_each_form_and_the_lines_of_the_kernel():
    kernel = load("triton_by_hand/add.py").add_kernel
    x = torch.empty(64)
    code = compile_kernel(kernel, x, x, x, 64, BLOCK=128, num_warps=1)
    assert "tt.load" in code.ttir and ".target sm_90" in code.ptx and "FADD" in code.sass
    assert code.config.blocks == {"BLOCK": 128} and code.config.num_warps == 1
    assert any("tl.store" in line.text for line in code.lines)


def test_the_target_and_the_dtype_decide():
    kernel = load("triton_by_hand/softmax.py").softmax_kernel
    x = torch.empty(4, 64, dtype=torch.float16)
    code = compile_kernel(kernel, x, x, 64, BLOCK=64, target="a100")
    assert ".target sm_80" in code.ptx and "!tt.ptr<f16>" in code.ttir


def test_the_driver_is_as_before():
    from triton.runtime import driver

    before = driver._active
    kernel = load("triton_by_hand/add.py").add_kernel
    with pytest.raises(ValueError, match="unknown GPU"):
        compile_kernel(kernel, target="h3000")
    assert driver._active is before
