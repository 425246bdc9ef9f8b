"""Compile the method that you call."""

from torch import compiler, nn, ones


class Model(nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def embed(self, x):
        return x.cos() + 1


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, model = [], Model()
compiler.set_default_backend(keep_graph)  # counts the graphs
# region copy
import torch

model.embed = torch.compile(model.embed)
# endregion
model.embed(ones(4))
print("graphs:", len(graphs))

# region checks
assert len(graphs) == 1 and list(model.state_dict()) == []
# endregion
