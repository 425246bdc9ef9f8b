"""Facts of the page "Functionalization" that no program of it asserts."""

import pytest
import torch
from torch._inductor.utils import run_and_get_code

# library call: the in-place operator that becomes it
IN_PLACE = {
    "extern_kernels.addmm(": lambda x, y: x.addmm_(y, y),
    "torch.ops.aten.cumsum.default(": lambda x, y: x.cumsum_(0),
    "extern_kernels.mm(": lambda x, y: torch.mm(y, y, out=x),
}


@pytest.mark.nightly
@pytest.mark.parametrize("library_call", IN_PLACE)
def test_a_library_computes_into_a_new_buffer_which_is_copied_back(library_call):
    def function(x, y):
        IN_PLACE[library_call](x, y)
        return x + 1

    torch.compiler.reset()
    _, [code] = run_and_get_code(torch.compile(function), torch.ones(8, 8), torch.ones(8, 8))
    call = code.split("def call(")[1]
    assert "copy" in call[call.index(library_call) :].split("cpp_fused_")[1].split("(")[0]
