"""torch.compiler.disable: what still gets compiled."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def double(x):
    return x * 2


off = torch.compiler.disable(double)
on = torch.compile(double, backend=keep_graph)
functions = {
    "torch.compile(double)": on,
    "torch.compiler.disable(torch.compile(double))": torch.compiler.disable(on),
    "torch.compile(torch.compiler.disable(double))": torch.compile(off, backend=keep_graph),
    "a disabled function that calls double": torch.compiler.disable(lambda x: double(x)),
    "a disabled function that calls torch.compile(double)": torch.compiler.disable(lambda x: on(x)),
    "a compiled function that calls disable(double)": torch.compile(lambda x: off(x), backend=keep_graph),
}
rows = []
for name, function in functions.items():
    torch.compiler.reset()
    graphs: list[torch.fx.GraphModule] = []
    function(torch.ones(3))
    rows.append([name, len(graphs)])
show(Table(["called", "graphs"], rows))
# region checks
assert [row[1] for row in rows] == [1, 0, 1, 0, 1, 0]
# endregion
