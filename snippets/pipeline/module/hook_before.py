"""Register a hook on an inner layer first, then compile: the hook runs."""

from torch import compiler, nn, ones


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiler.set_default_backend(keep_graph)  # counts the graphs


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


model = Model()


# region copy
def hook(module, inputs, output):
    module.kept = output  # a list that grows would trigger a recompile at each call


model.layer.register_forward_hook(hook)  # before the first call
model.compile()
# endregion
for _ in range(5):
    model(ones(2, 4))

# region checks
assert len(graphs) == 1 and model.layer.kept.equal(model.layer.forward(ones(2, 4)))
graphs, outputs, appending = [], [], Model()
appending.layer.register_forward_hook(lambda module, inputs, output: outputs.append(output))
appending.compile()
for _ in range(5):
    appending(ones(2, 4))
assert len(graphs) == len(outputs) == 5
# endregion
