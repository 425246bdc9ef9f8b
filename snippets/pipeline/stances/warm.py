"""Compile while the service warms up, then forbid it."""

from torch import compiler, nn, ones

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


model, batches = Model(), [ones(4), ones(8)]
model.compile(backend=keep_graph, dynamic=False)

# region copy
import torch

model.eval()
with torch.no_grad():  # warm up the way the service calls the model
    for batch in batches:  # one batch of each shape that requests have
        model(batch)
torch.compiler.set_stance("fail_on_recompile")  # or "eager_on_recompile": slow, but served
# endregion
with torch.no_grad():
    try:
        model(ones(5))
    except RuntimeError as error:
        print("fail_on_recompile: ", str(error).split(" filename")[0])
    compiler.set_stance("eager_on_recompile")
    print("eager_on_recompile:", model(ones(5))[0].item())

# region checks
assert len(graphs) == 2
# endregion
