# /// lesson
# needs = ["compiler"]
# ///
"""What may change without making the cached entries useless."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def layer(x):
    return torch.relu(model(x)) * 2.0


def moved(x):  # on a different line of the file
    return torch.relu(model(x)) * 2.0


def compile_again(change, function, *inputs, options=None):
    torch.compiler.reset()
    counters.clear()
    torch.compile(function, options=options)(*inputs)
    hits = counters["aot_autograd"]["autograd_cache_hit"], counters["inductor"]["fxgraph_cache_hit"]
    rows.append([change, *("hit" if hit else "miss" for hit in hits)])


model, x, rows = torch.nn.Linear(8, 8), torch.ones(4, 8), []
with torch.no_grad():
    compile_again("the first compile", layer, x)
    compile_again("nothing", layer, x)
    compile_again("the line of the code", moved, x)
    compile_again("the name of an argument", lambda value: torch.relu(model(value)) * 2.0, x)
    compile_again("a number in the code", lambda x: torch.relu(model(x)) * 3.0, x)
    compile_again("the batch size", layer, torch.ones(5, 8))
    compile_again("an option of Inductor", layer, x, options={"cpp.min_chunk_size": 256})
    model.weight.add_(1)
    compile_again("the values of the weights", layer, x)
    torch.set_num_threads(torch.get_num_threads() + 1)
    compile_again("the number of threads", layer, x)
show(Table(["changed", "AOTAutograd's cache", "FX graph cache"], rows))
# region checks
answers = {row[0]: row[1:] for row in rows}
assert answers["nothing"] == answers["the values of the weights"] == ["hit", "hit"]
assert answers["the name of an argument"] == ["miss", "hit"]
assert all(answers[name] == ["miss", "miss"] for name in ("a number in the code", "the batch size"))
# endregion
