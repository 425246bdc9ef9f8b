# /// lesson
# needs = ["gpu", "triton"]
# timeout = 240
# ///
"""Kernels below the GPU's limit, and what settings of Inductor change."""

import torch
from torch.nn.functional import cross_entropy, layer_norm
from triton.testing import do_bench

from compile_lessons import Table, show


def loss(logits, labels):
    return cross_entropy(logits.float(), labels)


def normalize(x, _):
    return layer_norm(x, x.shape[-1:])


def add_transposed(x, y):
    return x.t() + y


settings = {
    "default": {},
    "coordinate descent": {"coordinate_descent_tuning": True},
    "max-autotune": {"max_autotune": True},
    "no online softmax": {"online_softmax": False},
}
logits = torch.randn(4096, 50304, device="cuda", dtype=torch.bfloat16)
labels = torch.randint(0, 50304, (4096,), device="cuda")
x, y = torch.randn(2, 8192, 8192, device="cuda")
target = torch.empty_like(x)


def copy_into(x, _):
    return target.copy_(x)


def microseconds(function, *inputs):
    return 1e3 * do_bench(lambda: function(*inputs), return_mode="median")


copy = 2 * x.nbytes / microseconds(copy_into, x, y)
# each function with its inputs, and the bytes that it has to read and write
functions = {
    loss: (logits, labels, logits.nbytes),
    normalize: (x, y, 2 * x.nbytes),
    add_transposed: (x, y, 3 * x.nbytes),
}
rows = []
shares = {}
for function, (first, second, size) in functions.items():
    for name, options in settings.items():
        torch.compiler.reset()
        compiled = torch.compile(function, options=options)
        time = microseconds(compiled, first, second)
        shares[function, name] = size / time / copy
        share = f"{shares[function, name]:.0%}"
        rows.append([function.__name__, name, f"{time:.0f} µs", share])
show(Table(["function", "setting", "time", "of the copy rate"], rows))
# region checks
loss_share = shares[loss, "default"]
two_passes_share = shares[loss, "no online softmax"]
norm_share = shares[normalize, "default"]
transposed_share = shares[add_transposed, "default"]
# endregion
