"""Compile the module in place for generate(), and compile any other method that you call."""

from torch import compiler, nn, ones


class Model(nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def generate(self, x):
        return self(self(x))

    def embed(self, x):
        return x.cos() + 1


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, model, x = [], Model(), ones(4)
compiler.set_default_backend(keep_graph)  # counts the graphs
# region copy
import torch

model.compile()
y = model.generate(x)  # its calls to self(x) are compiled

model.embed = torch.compile(model.embed)
z = model.embed(x)
# endregion
print("graphs:", len(graphs))

# region checks
assert len(graphs) == 2 and list(model.state_dict()) == []
# endregion
