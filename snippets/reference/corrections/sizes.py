"""Sizes: automatic dynamic shapes compile twice, dynamic=True three times."""

import torch


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


def compiles(sizes, **options):
    graphs.clear()
    torch.compiler.reset()
    double = torch.compile(lambda x: x * 2, backend=keep_graph, **options)
    for size in sizes:
        double(torch.ones(size))
    return len(graphs)


graphs = []
by_default = compiles([32, 64, 128, 256])
always = compiles([5, 7, 1, 0, 9], dynamic=True)
print("default, sizes 32, 64, 128, 256:", by_default)
print("dynamic=True, sizes 5, 7, 1, 0, 9:", always)
# region checks
assert (by_default, always) == (2, 3)  # 0 and 1 are special
# endregion
