"""Three ways to set a stance, and how long each holds."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


scaled, x = torch.compile(lambda x: x.sin() * 2, backend=keep_graph), torch.ones(4)


@torch.compiler.set_stance("force_eager")
def evaluate():
    scaled(x)


with torch.compiler.set_stance("force_eager"):
    scaled(x)
print("graphs after the with block:        ", in_block := len(graphs))
evaluate()
print("graphs after the decorated function:", in_decorated := len(graphs))
torch.compiler.set_stance("force_eager")
scaled(x)
print("graphs after the plain call:        ", plain := len(graphs))
torch.compiler.set_stance("default")
scaled(x)
print("graphs after set_stance('default'): ", default := len(graphs))

# region checks
assert (in_block, in_decorated, plain, default) == (0, 0, 0, 1)
# endregion
