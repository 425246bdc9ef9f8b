# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""map and scan under Inductor: what works, and what raises."""

import logging

import torch
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.scan import scan


def doubled(x):
    return map_over(lambda row: row * 2, x)


def recurrent(x):
    def cell(h, row):
        h = torch.tanh(h @ weight + row)
        return h, h.clone()

    return scan(cell, torch.zeros(3), x)[1]


def call(function, **options):
    torch.compiler.reset()
    try:
        return tuple(torch.compile(function, **options)(torch.ones(4, 3)).shape)
    except RuntimeError as error:
        return next(line for line in str(error).splitlines() if "Error" in line or "Exception" in line)


torch._logging.set_logs(all=logging.CRITICAL)
weight = torch.rand(3, 3, requires_grad=True)
print("map:                        ", call(doubled))
print("map, fullgraph=True:        ", mapped := call(doubled, fullgraph=True))
print("recurrent, fullgraph=True:  ", call(recurrent, fullgraph=True))
print("recurrent, aot_eager:       ", scanned := call(recurrent, fullgraph=True, backend="aot_eager"))

# region checks
assert mapped == scanned == (4, 3)
# endregion
