# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Log the guard that failed at each recompile."""

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.1, self.training).sum()


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, model = [], Model()
model.compile(backend=keep_graph)
for batch, training in [(32, True), (32, True), (20, True), (32, False)]:
    print(f"-> batch of {batch}, {'training' if training else 'evaluation'}")
    model.train(training)
    model(torch.ones(batch, 8))

# region checks
assert len(graphs) == 3
# endregion
