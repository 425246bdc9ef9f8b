"""AOTAutograd gives the backend two graphs, and interpreting both trains a model."""

import torch
from _step2_interpret import Interpreter, backend_of


def interpret(graph_module):
    inputs = graph_module.graph.find_nodes(op="placeholder")
    operators = len(graph_module.graph.nodes) - len(inputs) - 1
    print(f"a graph with {len(inputs)} inputs and {operators} operators")
    graphs.append(operators)
    return Interpreter(graph_module)


# region training
def loss_of(model, x):
    return (model(x) - 1).square().mean()


def train(name, step):
    torch.manual_seed(0)
    layers = torch.nn.Linear(8, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)
    model = torch.nn.Sequential(*layers)
    x = torch.randn(16, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        loss = step(model, x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    print(f"{name:12}", *(f"{loss:.6f}" for loss in losses))
    return losses


graphs = []
compiled_loss = torch.compile(loss_of, backend=backend_of(interpret))
eager = train("eager mode", loss_of)
interpreted = train("interpreted", compiled_loss)
# endregion
# region checks
torch.testing.assert_close(eager, interpreted)
assert len(graphs) == 2
# endregion
