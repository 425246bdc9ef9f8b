# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""Ten training steps of a small GPT-2 in eager mode and with the C++ backend."""

import _step4_backend
from _models import GPT2Like, losses

from compile_lessons import Table, show

kernels = []
build_cpp = _step4_backend.compile_cpp


def counting(source):
    kernels.append(source.count('extern "C"'))
    return build_cpp(source)


_step4_backend.compile_cpp = counting
eager = losses(GPT2Like)
compiled = losses(GPT2Like, _step4_backend.backend)
rows = [[step, f"{a:.5f}", f"{b:.5f}"] for step, (a, b) in enumerate(zip(eager, compiled, strict=True))]
show(Table(["step", "eager mode", "C++ backend"], rows))

forward_kernels, backward_kernels = kernels
print(f"C++ functions: {forward_kernels} in the forward graph, {backward_kernels} in the backward graph")
# region checks
assert all(abs(a - b) < 1e-4 for a, b in zip(eager, compiled, strict=True)) and eager[-1] < eager[0]
# endregion
