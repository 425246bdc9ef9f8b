"""Pass a comparison of a size to an operator, and turn it into a bool of Python first."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


arguments = {
    "n > 4": lambda n: n > 4,
    "bool(n > 4)": lambda n: bool(n > 4),
    "(n > 4) is True": lambda n: (n > 4) is True,
    "True if n > 4 else False": lambda n: True if n > 4 else False,  # noqa: SIM210
}
rows = []
for name, flag in arguments.items():
    torch.compiler.reset()
    graphs, message = [], "no error"

    def total(x, flag=flag):
        return x.sum(0, keepdim=flag(x.shape[0])) * 2

    compiled = torch.compile(total, backend=keep_graph, dynamic=True)
    right = all(compiled(x).shape == total(x).shape for x in (torch.ones(6), torch.ones(3)))
    count = len(graphs)
    torch.compiler.reset()
    try:
        torch.compile(total, backend="eager", dynamic=True, fullgraph=True)(torch.ones(6))
    except torch._dynamo.exc.Unsupported as error:
        message = "error: " + str(error).partition("'keepdim' ")[2].splitlines()[0]
    rows.append([name, count, right, message])
show(Table(["keepdim=", "graphs for 6 and 3", "shapes match", "with fullgraph=True"], rows))
# region checks
assert [row[1:3] for row in rows] == [[3, True], [3, True], [1, False], [2, True]]
assert ["must be bool, not SymBool" in row[3] for row in rows] == [True, True, False, False]
# endregion
