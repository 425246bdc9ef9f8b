"""What torch.compiler.reset() changes: the versions are gone, settings and the stance stay."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def graphs_of_a_call():
    graphs.clear()
    double(torch.ones(3))
    return len(graphs)


graphs: list[torch.fx.GraphModule] = []
double = torch.compile(lambda x: x * 2, backend=keep_graph)
torch._dynamo.config.recompile_limit = 3
rows = [["graphs that a call compiles", graphs_of_a_call(), graphs_of_a_call()]]
torch.compiler.reset()
rows[0].append(graphs_of_a_call())
rows.append(["recompile_limit", 8, 3, torch._dynamo.config.recompile_limit])
torch.compiler.set_stance("force_eager")
torch.compiler.reset()
rows.append(["graphs under force_eager", "", "", graphs_of_a_call()])
show(Table(["", "first", "then", "after reset()"], rows))
# region checks
assert [row[3] for row in rows] == [1, 3, 0] and rows[0][1:3] == [1, 0]
# endregion
