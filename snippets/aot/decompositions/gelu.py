"""gelu as Dynamo records it, and after Inductor's decompositions."""

import torch

from compile_lessons import capture


def gelu(x):
    return torch.nn.functional.gelu(x)


[graph] = capture(gelu, until="aot")(torch.linspace(-2, 2, 5)).graphs
print(graph.dynamo.code)
print(graph.forward.code)
# region checks
assert len(graph.dynamo.calls) == 1
assert len(graph.forward.calls) == 5
# endregion
