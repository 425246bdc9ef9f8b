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
model.zero_grad()
compiled(x, torch.tensor(-1.0)).sum().backward()
assert not model.adapter.weight.grad.any()  # zeros: a plain `if` leaves None


def works(branch, x):
    torch.compiler.reset()
    step = torch.compile(
        lambda x: torch.cond(x.sum() > 0, branch, torch.clone, (x,)), backend="aot_eager", fullgraph=True
    )
    try:
        return step(x).shape == x.shape
    except RuntimeError:
        return False


x = torch.ones(2, 4, requires_grad=True)
norm = torch.nn.BatchNorm1d(4)
assert not works(norm, x) and works(norm.eval(), x)
with torch.autocast("cpu", dtype=torch.bfloat16):
    assert not works(model.adapter, x) and works(lambda x: model.adapter(x).to(x.dtype), x)


@torch.library.custom_op("course::expensive", mutates_args=())
def expensive(x: torch.Tensor) -> torch.Tensor:
    runs.append(x)
    return x * x


@expensive.register_fake
def _(x):
    return torch.empty_like(x)


runs = []
step = torch.compile(lambda x: torch.cond(x.sum() > 0, expensive, torch.neg, (x,)), backend="eager", fullgraph=True)
for value in (3.0, -3.0):
    step(torch.full((2,), value))
assert len(runs) == 1  # one of the two branches runs
# endregion
