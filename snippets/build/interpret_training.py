"""AOTAutograd gives the backend two graphs, and interpreting both trains a model."""

import torch
from _step2_interpret import Interpreter, backend_of


def interpret(graph_module):
    inputs = graph_module.graph.find_nodes(op="placeholder")
    calls = graph_module.graph.nodes.__len__() - len(inputs) - 1
    print(f"a graph with {len(inputs)} inputs and {calls} operators")
    graphs.append(calls)
    return Interpreter(graph_module)


def loss_of(model, x):
    return (model(x) - 1).square().mean()


graphs, losses = [], {}
for name in ("eager mode", "interpreted"):
    torch.manual_seed(0)
    model, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)), torch.randn(16, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = loss_of if name == "eager mode" else torch.compile(loss_of, backend=backend_of(interpret))
    losses[name] = []
    for _ in range(5):
        loss = step(model, x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses[name].append(loss.item())
    print(f"{name:12}", " ".join(f"{loss:.6f}" for loss in losses[name]))
# region checks
torch.testing.assert_close(losses["eager mode"], losses["interpreted"])
assert len(graphs) == 2
# endregion
