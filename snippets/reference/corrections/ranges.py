"""The range of each symbol: where it begins, and what a comparison leaves of it."""

import torch

from compile_lessons import Table, show


def keep_ranges(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        value = node.meta["example_value"] if node.op == "placeholder" else None
        if isinstance(value, torch.Tensor):
            ranges["size"] = bounds(value.shape[0])
        elif isinstance(value, torch.SymInt) and "n" in node.name:
            ranges["n"] = bounds(value)
    return graph_module.forward


def bounds(symbol):
    interval = symbol.node.shape_env.bound_sympy(symbol.node.expr)
    return f"{interval.lower} to {interval.upper}"


functions = {
    "x * 2": lambda x, n: x * 2,
    "x * 2 if len(x) > 3": lambda x, n: x * 2 if len(x) > 3 else x,
    "x + n": lambda x, n: x + n,
    "x + n if 0 < n < 4": lambda x, n: x + n if 0 < n < 4 else x,
}
rows = []
for name, function in functions.items():
    torch.compiler.reset()
    ranges: dict[str, str] = {}
    torch.compile(function, backend=keep_ranges, dynamic=True)(torch.ones(5), 3)
    rows.append([name, ranges["size"], ranges.get("n", "")])
show(Table(["function", "size of x", "n"], rows))
# region checks
assert [row[1] for row in rows] == ["2 to int_oo", "4 to int_oo", "2 to int_oo", "2 to int_oo"]
assert [row[2] for row in rows] == ["", "", "-int_oo to int_oo", "1 to 3"]
# endregion
