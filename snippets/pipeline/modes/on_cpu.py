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
default, reduce_overhead, max_autotune, lite = [row[1:] for row in rows]
assert default == reduce_overhead == max_autotune
assert default[1] != ""
assert lite[1] == ""  # operators of PyTorch, no kernel of Inductor's
# endregion
