"""The fix: pass the changing value as an argument."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph, fullgraph=True)
def scaled(x, scale):
    return x * scale


results = [scaled(torch.ones(1), torch.tensor(10.0 * (call + 1))).item() for call in range(3)]
print("results:", results, "· graphs:", len(graphs))

# region checks
assert results == [10.0, 20.0, 30.0] and len(graphs) == 1
# endregion
