# /// lesson
# needs = ["compiler"]
# ///
"""What may change without making the cached entries useless."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show

model = torch.nn.Linear(8, 8)
rows = []


def compile_again(change, function, x, options=None):
    torch.compiler.reset()
    counters.clear()
    torch.compile(function, options=options)(x)
    autograd = "hit" if counters["aot_autograd"]["autograd_cache_hit"] else "miss"
    inductor = "hit" if counters["inductor"]["fxgraph_cache_hit"] else "miss"
    rows.append([change, autograd, inductor])


# region changes
def layer(x):
    return torch.relu(model(x)) * 2.0


def layer_on_other_lines(x):
    return torch.relu(model(x)) * 2.0


def layer_of_value(value):
    return torch.relu(model(value)) * 2.0


def layer_times_3(x):
    return torch.relu(model(x)) * 3.0


x = torch.ones(4, 8)
with torch.no_grad():
    compile_again("the first compile", layer, x)
    compile_again("nothing", layer, x)
    compile_again("the line of the code", layer_on_other_lines, x)
    compile_again("the name of an argument", layer_of_value, x)
    compile_again("a number in the code", layer_times_3, x)
    compile_again("the batch size", layer, torch.ones(5, 8))
    compile_again("an option of Inductor", layer, x, {"cpp.min_chunk_size": 256})
    model.weight.add_(1)
    compile_again("the values of the weights", layer, x)
    torch.set_num_threads(torch.get_num_threads() + 1)
    compile_again("the number of threads", layer, x)
# endregion
show(Table(["changed", "AOTAutograd's cache", "FX graph cache"], rows))
# region checks
answers = {row[0]: row[1:] for row in rows}
assert answers["nothing"] == answers["the values of the weights"] == ["hit", "hit"]
assert answers["the name of an argument"] == ["miss", "hit"]
assert answers["a number in the code"] == answers["the batch size"] == ["miss", "miss"]
# endregion
