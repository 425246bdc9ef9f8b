"""A graph, printed as code and as a table."""

import torch
import torch.nn.functional as F

from compile_lessons import capture, show


def gated(x, w):
    top, bottom = (x @ w).chunk(2)
    return F.gelu(top).add(bottom, alpha=2)


pipeline = capture(gated, until="dynamo")(torch.ones(4, 4), torch.ones(4, 4))
graph = pipeline.graphs[0].dynamo
print(graph.code)
show(graph)

# region checks
assert [node.op for node in graph.nodes].count("placeholder") == 2
assert graph.nodes[-1].op == "output"
assert (len(graph.nodes), len(graph.calls)) == (9, 6)
# endregion
