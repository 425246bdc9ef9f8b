# /// lesson
# needs = ["compiler"]
# ///
"""Twelve changes, and whether a cached compile is still found."""

import torch
from torch._dynamo.utils import counters
from torch._inductor import config

from compile_lessons import Table, show

model = torch.nn.Linear(8, 8)


def base(x, k=2.0):
    return torch.relu(model(x)) * k


def renamed(values, k=2.0):  # another name, another line

    return torch.relu(model(values)) * k


def constant(x):
    return torch.relu(model(x)) * 3.0


def lookup(function, *inputs, **options):
    torch.compiler.reset()
    counters.clear()
    torch.compile(function, options=options or None)(*inputs)
    return "hit" if counters["aot_autograd"]["autograd_cache_hit"] else "miss"


x, rows = torch.ones(4, 8), []
lookup(base, x)
rows.append(["nothing", lookup(base, x)])
rows.append(["names and line numbers", lookup(renamed, x)])
rows.append(["a constant in the code", lookup(constant, x)])
with torch.no_grad():
    model.weight.add_(1)
rows.append(["the values of the weights", lookup(base, x)])
rows.append(["the batch size", lookup(base, torch.ones(5, 8))])
rows.append(["the strides", lookup(base, torch.ones(8, 4).t())])
rows.append(["the dtype", lookup(base, x) if False else lookup(lambda x: base(x.double().float()), x)])
with torch.no_grad():
    rows.append(["no_grad", lookup(base, x)])
rows.append(["an option of Inductor", lookup(base, x, **{"cpp.simdlen": 256})])
threads = torch.get_num_threads()
torch.set_num_threads(threads + 1)
rows.append(["the number of threads", lookup(base, x)])
torch.set_num_threads(threads)
rows.append(["everything as at first", lookup(base, x)])
show(Table(["changed", "cache"], rows))
