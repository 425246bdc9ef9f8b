"""With a break and without one: the setting that decides."""

import logging

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def item(x):
    n = x.sum().item()
    return torch.zeros(n) + 1


def nonzero(x):
    return (x * 2).nonzero() + 1


def mask(x):
    return (x * 2)[x > 0] + 1


torch._logging.set_logs(dynamo=logging.ERROR)
settings = {"capture_scalar_outputs": True, "capture_dynamic_output_shape_ops": True}
rows = []
for function in (item, nonzero, mask):
    rows.append([function.__name__])
    for fullgraph, patch in ((False, {}), (True, {}), (False, settings)):
        torch.compiler.reset()
        counter = CompileCounter()  # a backend that counts
        with torch._dynamo.config.patch(patch):
            compiled = torch.compile(function, backend=counter, fullgraph=fullgraph)
            for n in range(2, 8):
                compiled((torch.arange(8) < n).long())
        rows[-1].append(counter.frame_count)

show(Table(["function", "default", "fullgraph=True", "both settings on"], rows))
broken, whole, captured = rows[0][1:]
assert rows == [["item", 3, 1, 1], ["nonzero", 3, 1, 1], ["mask", 3, 1, 1]]
