"""Backed symbols have a value to look at, unbacked symbols have none."""

import torch
from torch.fx.experimental.symbolic_shapes import has_free_unbacked_symbols

from compile_lessons import Table, keep_graphs, show


def both(x, counts):
    n = counts.sum().item()
    return x.sum() + torch.zeros(n).sum()


kept = keep_graphs()
compiled = torch.compile(both, backend=kept, fullgraph=True, dynamic=True)
compiled(torch.ones(5), torch.tensor([1, 2]))
rows = []
for node in kept.graphs[0].graph.nodes:
    value = node.meta.get("example_value")
    if isinstance(value, torch.SymInt):
        kind = "unbacked" if has_free_unbacked_symbols(value) else "backed"
        rows.append([node.name, str(value), kind, str(value.node.hint)])
show(Table(["node", "symbol", "kind", "value while tracing"], rows))

# region checks
assert [row[2] for row in rows] == ["backed", "backed", "unbacked"]
assert rows[2][3] == "None"
# endregion
