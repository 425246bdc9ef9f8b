"""The fix: one dtype from the start, one compile."""

# region copy
import numpy
import torch

batch = torch.as_tensor(numpy.ones(512), dtype=torch.float32)  # NumPy's default is float64
# endregion
graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph)
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


quick_gelu(torch.ones(512))
quick_gelu(batch)
print("compiled versions:", len(graphs))

# region checks
assert len(graphs) == 1
# endregion
