"""The range of each symbol: where it begins, and what a comparison leaves of it."""

import torch

from compile_lessons import Table, keep_graphs, show


def bounds(symbol):
    interval = symbol.node.shape_env.bound_sympy(symbol.node.expr)
    return f"{interval.lower} to {interval.upper}"


def ranges(graph_module):
    found = {"size": "", "n": ""}
    for node in graph_module.graph.find_nodes(op="placeholder"):
        value = node.meta["example_value"]
        if isinstance(value, torch.Tensor):
            found["size"] = bounds(value.shape[0])
        elif "n" in node.name:
            found["n"] = bounds(value)
    return [found["size"], found["n"]]


functions = {
    "x * 2": lambda x, n: x * 2,
    "x * 2 if len(x) > 3": lambda x, n: x * 2 if len(x) > 3 else x,
    "x + n": lambda x, n: x + n,
    "x + n if 0 < n < 4": lambda x, n: x + n if 0 < n < 4 else x,
}
rows = []
for name, function in functions.items():
    torch.compiler.reset()
    kept = keep_graphs()
    torch.compile(function, backend=kept, dynamic=True)(torch.ones(5), 3)
    rows.append([name, *ranges(kept.graphs[0])])
show(Table(["function", "size of x", "n"], rows))
# region checks
sizes = [row[1] for row in rows]
assert sizes == ["2 to int_oo", "4 to int_oo", "2 to int_oo", "2 to int_oo"]
assert [row[2] for row in rows] == ["", "", "-int_oo to int_oo", "1 to 3"]
# endregion
