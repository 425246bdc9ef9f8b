"""while_loop: a tensor's value decides how many iterations run."""

import torch
from torch._higher_order_ops.while_loop import while_loop


def double_until(x):
    return while_loop(lambda i, x: x.sum() < 100, lambda i, x: (i + 1, x * 2), (torch.tensor(0), x))


def keep_graph(graph_module, example_inputs):
    graph_module.print_readable()
    graphs.append(graph_module)
    return graph_module.forward


graphs = []
compiled = torch.compile(double_until, backend=keep_graph, fullgraph=True)
for start in (1.0, 30.0):
    rounds, x = compiled(torch.full((4,), start))
    print("rounds:", rounds.item(), "result:", x)

# region checks
assert [compiled(torch.full((4,), start))[0].item() for start in (1.0, 30.0)] == [5, 0]
assert len(graphs) == 1
# endregion
