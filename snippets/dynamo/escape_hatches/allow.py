"""allow_in_graph: Dynamo does not look inside, AOTAutograd does."""

import torch
from torch._dynamo.backends.common import aot_autograd


@torch.compiler.allow_in_graph
def scaled(x):
    return torch.relu(x) * 2


def show_graph(graph_module, example_inputs):
    names.extend(node.target.__name__ for node in graph_module.graph.nodes if callable(node.target))
    print("Dynamo's graph:", names)
    return aot(graph_module, example_inputs)


def show_aten(graph_module, example_inputs):
    aten.extend(str(node.target) for node in graph_module.graph.nodes if callable(node.target))
    print("AOTAutograd's graph:", aten)
    return graph_module.forward


names, aten = [], []
aot = aot_autograd(fw_compiler=show_aten)
torch.compile(lambda x: scaled(x) + 1, backend=show_graph, fullgraph=True)(torch.ones(3))

# region checks
assert names == ["scaled", "add"] and len(aten) == 3
# endregion
