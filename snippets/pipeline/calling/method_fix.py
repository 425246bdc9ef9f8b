"""Compile the method that you call."""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1

    def embed(self, x):
        return x.cos() + 1


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, model = [], Model()
# region copy
model.embed = torch.compile(model.embed, backend=keep_graph)
# endregion
model.embed(torch.ones(4))
print("graphs:", len(graphs))

# region checks
assert len(graphs) == 1 and list(model.state_dict()) == []
# endregion
