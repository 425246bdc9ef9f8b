# /// lesson
# needs = ["compiler"]
# ///
"""What four modes change in the code for a CPU."""

import torch

from compile_lessons import Table, capture, show


def layer(x, w, b):
    return torch.relu(x @ w + b)


x = torch.ones(64, 128)
w = torch.ones(128, 256)
b = torch.ones(256)
rows = []
for mode in ["default", "reduce-overhead", "max-autotune", "lite"]:
    kernels = capture(layer, mode=mode, machine_code=False)(x, w, b).kernels
    calls = [kernel.name for kernel in kernels if kernel.kind == "extern"]
    loops = [kernel.name for kernel in kernels if kernel.kind == "cpp"]
    rows.append([mode, " ".join(calls), " ".join(loops)])
show(Table(["mode", "library calls", "C++ kernels"], rows))

# region checks
assert rows[0][2]
assert rows[0][1:] == rows[1][1:] == rows[2][1:]
assert rows[3][2] == ""  # lite: operators of PyTorch, no kernel of Inductor's
# endregion
