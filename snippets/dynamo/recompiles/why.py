# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Have the failed guard of each recompile logged."""

import torch


def scaled(x, mode):
    return x * 2 if mode == "double" else x + 1


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, four = [], torch.ones(4)
compiled = torch.compile(scaled, backend=keep_graph)
for x, mode in [(four, "double"), (four, "shift"), (four.view(2, 2), "shift")]:
    print(f"-> {mode}, {x.dim()} dimensions")
    compiled(x, mode)

# region checks
assert len(graphs) == 3
# endregion
