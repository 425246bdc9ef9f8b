# /// lesson
# needs = ["triton"]
# env = {TRITON_INTERPRET = "1"}
# ///
"""Softmax as a Triton kernel, run by Triton's interpreter on the CPU."""

from functools import partial

import torch
from _step2_interpret import backend_of
from _step4_backend import compile_graph
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS
from _step5_launch import build_triton
from _step5_triton import claims_triton, kernel


def print_and_build(plans):
    for name, plan in plans.items():
        print(kernel(name, plan))
        kernels.append(name)
    return build_triton(plans)


fuse_for_triton = partial(fuse, claims=partial(claims_triton, device="cpu"))


def compile_and_print(module):
    return compile_graph(module, print_and_build, fuse_for_triton)


kernels = []
x = torch.randn(6, 40)
backend = backend_of(compile_and_print, DECOMPOSITIONS)
result = torch.compile(torch.softmax, backend=backend)(x, dim=-1)
# region checks
torch.testing.assert_close(result, torch.softmax(x, -1))
assert kernels == ["kernel0"]
# endregion
