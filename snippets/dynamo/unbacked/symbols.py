"""Backed symbols have a value to look at, unbacked symbols have none."""

import torch
from torch.fx.experimental.symbolic_shapes import has_free_unbacked_symbols

from compile_lessons import Table, show


def both(x, counts):
    n = counts.sum().item()
    return x.sum() + torch.zeros(n).sum()


def list_symbols(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        value = node.meta.get("example_value")
        if isinstance(value, torch.SymInt):
            unbacked = has_free_unbacked_symbols(value)
            rows.append([node.name, str(value), "unbacked" if unbacked else "backed", str(value.node.hint)])
    return graph_module.forward


rows = []
torch.compile(both, backend=list_symbols, fullgraph=True, dynamic=True)(torch.ones(5), torch.tensor([1, 2]))
show(Table(["node", "symbol", "kind", "value while tracing"], rows))
# region checks
unbacked_count = sum(row[2] == "unbacked" for row in rows)
assert len(rows) == 3 and unbacked_count == 1 and rows[2][3] == "None"
# endregion
