"""mark_unbacked: one version for sizes 0 and 1 too, but no branch on the size."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def branch(x):
    return x * 2 if x.shape[0] > 3 else x


rows = []
for mark in (torch._dynamo.mark_dynamic, torch._dynamo.decorators.mark_unbacked):
    torch.compiler.reset()
    graphs, compiled, first = [], torch.compile(lambda x: x * 2, backend=keep_graph), torch.ones(5)
    mark(first, 0)
    for x in (first, torch.ones(7), torch.ones(1), torch.ones(0)):
        compiled(x)
    compiles = len(graphs)
    try:
        torch.compile(branch, backend="eager", fullgraph=True)(first)
        outcome = "becomes a guard"
    except torch._dynamo.exc.UserError as error:
        outcome = str(error).partition("(unhinted")[0].partition("). ")[2]
    rows.append([mark.__name__, compiles, outcome])

show(Table(["mark", "compiles for 5, 7, 1, 0", "a branch on the size"], rows))
# region checks
assert [row[1] for row in rows] == [3, 1] and rows[1][2].startswith("Could not guard")
torch.compiler.reset()
graphs, marked = [], torch.ones(5)
torch._dynamo.decorators.mark_unbacked(marked, 0)
torch.compile(branch, backend=keep_graph)(marked)
assert len(graphs) == 2  # without fullgraph, the branch breaks the graph
torch.compile(lambda x: x * 2 if x.shape[0] >= 0 else x, backend="eager", fullgraph=True)(marked)  # the answer is known
# endregion
