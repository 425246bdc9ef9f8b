"""Compile the module in place for generate(), and decorate any other method that you call."""

from torch import compiler, nn, ones


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, x = [], ones(4)
compiler.set_default_backend(keep_graph)  # counts the graphs
# region copy
import torch


class Model(nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def generate(self, x):
        return self(self(x))

    @torch.compile
    def embed(self, x):
        return x.cos() + 1


model = Model()
model.compile()
y = model.generate(x)  # its calls to self(x) are compiled
z = model.embed(x)
# endregion
print("graphs:", len(graphs))

# region checks
assert len(graphs) == 2 and list(model.state_dict()) == []
# endregion
