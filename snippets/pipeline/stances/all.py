"""Six stances over the same calls, after one call that compiled."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def scaled(x):
    return x.sin() * 2


def outcome(size):
    before, captured = len(graphs), counters["stats"]["unique_graphs"]
    try:
        compiled(torch.ones(size))
    except RuntimeError as error:
        return type(error).__name__
    by_other = counters["stats"]["unique_graphs"] > captured
    return "compiles" if len(graphs) > before else "with aot_eager" if by_other else "no compile"


rows = []
names = ["default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile"]
functions = dict.fromkeys(names, scaled)
# A function of its own, because reset() doesn't forget which calls eager_then_compile has seen.
functions["aot_eager_then_compile"] = lambda x: x.sin() * 2
for stance, function in functions.items():
    graphs = []
    torch.compiler.reset()
    compiled = torch.compile(function, backend=keep_graph, dynamic=False)
    compiled(torch.ones(4))
    with torch.compiler.set_stance(stance):
        rows.append([stance, outcome(4), outcome(5), outcome(5)])
show(Table(["stance", "same size", "new size", "new size again"], rows))

# region checks
no, compiles, error = "no compile", "compiles", "RuntimeError"
assert [row[1:] for row in rows[:3]] == [[no, compiles, no], [no, no, no], [no, no, no]]
assert [row[1:] for row in rows[3:]] == [[no, error, error], [no, no, compiles], [no, "with aot_eager", no]]
# endregion
