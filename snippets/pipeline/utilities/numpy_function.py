"""wrap_numpy: a NumPy function that takes tensors, and compiles to one graph."""

import numpy as np
import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph, fullgraph=True)
@torch.compiler.wrap_numpy
def length(v):
    return np.sqrt(np.sum(v * v))


v = torch.tensor([3.0, 4.0], requires_grad=True)
result = length(v)
result.backward()
print("length:", result.item(), "· gradient:", [round(g, 4) for g in v.grad.tolist()], "· graphs:", len(graphs))

# region checks
assert result.item() == 5.0 and len(graphs) == 1
# endregion
