# /// lesson
# needs = ["compiler"]
# ///
"""What may change without making the cached entries useless."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def layer(x):
    return torch.relu(model(x)) * 2.0


def moved(x):  # another name of the function, other lines
    result = model(x)
    return torch.relu(result) * 2.0


def renamed(values):
    return torch.relu(model(values)) * 2.0


def number(x):
    return torch.relu(model(x)) * 3.0


def compile_again(change, function, *inputs, options=None):
    torch.compiler.reset()
    counters.clear()
    torch.compile(function, options=options)(*inputs)
    autograd = counters["aot_autograd"]["autograd_cache_hit"]
    inductor = counters["inductor"]["fxgraph_cache_hit"]
    rows.append([change, *("hit" if hits else "miss" for hits in (autograd, inductor))])


model, x, rows = torch.nn.Linear(8, 8), torch.ones(4, 8), []
with torch.no_grad():
    compile_again("the first compile", layer, x)
    compile_again("nothing", layer, x)
    compile_again("lines and local names", moved, x)
    compile_again("the name of an argument", renamed, x)
    compile_again("a number in the code", number, x)
    compile_again("the batch size", layer, torch.ones(5, 8))
    compile_again("an option of Inductor", layer, x, options={"cpp.simdlen": 256})
    model.weight.add_(1)
    compile_again("the values of the weights", layer, x)
    torch.set_num_threads(torch.get_num_threads() + 1)
    compile_again("the number of threads", layer, x)
show(Table(["changed", "AOTAutograd's cache", "FX graph cache"], rows))
# region checks
answers = {row[0]: row[1:] for row in rows}
assert answers["nothing"] == answers["the values of the weights"] == ["hit", "hit"]
assert answers["lines and local names"] == answers["the name of an argument"] == ["miss", "hit"]
assert sum(row[1:] == ["miss", "miss"] for row in rows) == 5
# endregion
