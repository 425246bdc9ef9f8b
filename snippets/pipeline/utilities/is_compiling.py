"""is_compiling() is True while Dynamo traces, so a branch on it costs nothing later."""

import torch


def checked(x):
    if not torch.compiler.is_compiling():
        print("eager: checking the input")
        assert torch.isfinite(x).all()
    return x.sin()


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append([node.name for node in graph_module.graph.nodes if node.op != "output"])
    return graph_module.forward


x = torch.ones(4)
checked(x)
torch.compile(checked, backend=keep_graph, fullgraph=True)(x)
print("compiled:", graphs)

# region checks
assert graphs == [["l_x_", "sin"]] and not torch.compiler.is_compiling()
# endregion
