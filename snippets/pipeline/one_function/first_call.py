"""Nothing is compiled before the first call."""

import torch


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


x = torch.linspace(-4, 4, 512)
before = quick_gelu.__code__
compiled = torch.compile(quick_gelu, backend=keep_graph)
print("graphs after torch.compile:  ", after_compile := len(graphs))
compiled(x)
print("graphs after the first call: ", after_first := len(graphs))
compiled(x)
print("graphs after the second call:", after_second := len(graphs))

# region checks
assert (after_compile, after_first, after_second) == (0, 1, 1)
assert quick_gelu.__code__ is before
assert torch.equal(compiled(x), quick_gelu(x))
# endregion
