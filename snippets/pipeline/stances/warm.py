"""Compile while the service warms up, then forbid it."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph, dynamic=False)
def scaled(x):
    return x.sin() * 2


# region copy
scaled(torch.ones(4))  # warm up with every size that requests have
torch.compiler.set_stance("fail_on_recompile")  # or "eager_on_recompile": slow, but served
# endregion
try:
    scaled(torch.ones(5))
except RuntimeError as error:
    print("fail_on_recompile: ", str(error).split(" filename")[0])
torch.compiler.set_stance("eager_on_recompile")
print("eager_on_recompile:", scaled(torch.ones(5))[0].item())

# region checks
assert len(graphs) == 1
# endregion
