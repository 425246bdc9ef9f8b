"""torch.cond: two graphs inside a graph."""

import torch


class Gated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.adapter = torch.nn.Linear(4, 4)

    # region copy
    def forward(self, x, gate):
        return torch.cond(gate > 0, self.adapter, torch.clone, (x,))  # skip the adapter if the gate is closed

    # endregion


def keep_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


graphs, model, x = [], Gated(), torch.ones(2, 4)
compiled = torch.compile(model, backend=keep_graph, fullgraph=True)
compiled(x, torch.tensor(1.0))

# region checks
for gate in (torch.tensor(1.0), torch.tensor(-1.0)):
    torch.testing.assert_close(compiled(x, gate), model(x, gate))
assert len(graphs) == 1
compiled(x, torch.tensor(1.0)).sum().backward()
assert model.adapter.weight.grad is not None
# endregion
