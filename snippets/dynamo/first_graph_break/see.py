"""One print in the middle turns one function into two graphs."""

import torch

from compile_lessons import keep_graphs


def shifted_square(x):
    y = torch.relu(x) + 1
    print("halfway")
    return y * y


kept = keep_graphs()
compiled = torch.compile(shifted_square, backend=kept)
for call in ("first", "second"):
    compiled(torch.ones(8))
    print(f"after the {call} call: {len(kept.graphs)} graphs, {len(kept.runs)} runs")
for graph in kept.graphs:
    operators = [node for node in graph.graph.nodes if node.op == "call_function"]
    print([node.target.__name__ for node in operators])

# region checks
graph_count = len(kept.graphs)
assert graph_count == 2
# endregion
