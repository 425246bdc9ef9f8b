"""Compile while the service warms up, then stop compiling."""

from torch import compiler, nn, ones

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


model, batches = Model(), [ones(4), ones(8)]
compiler.set_default_backend(keep_graph)  # counts the graphs
# region copy
import torch

model.eval()
model.compile()
with torch.no_grad():  # warm up the way the service calls the model
    for batch in batches:  # one batch of each shape that requests have
        model(batch)
torch.compiler.set_stance("eager_on_recompile")  # in a test: "fail_on_recompile"
# endregion
for stance in ["eager_on_recompile", "fail_on_recompile"]:
    compiler.set_stance(stance)
    before, what = len(graphs), "runs in eager mode"
    try:
        model(ones(5))  # under torch.no_grad() in the warm-up, but not here
    except RuntimeError as error:
        what = "raises " + type(error).__name__
    print(f"{stance}: {what}, graphs added: {len(graphs) - before}")

# region checks
assert len(graphs) == 2 and what == "raises RuntimeError"
# endregion
