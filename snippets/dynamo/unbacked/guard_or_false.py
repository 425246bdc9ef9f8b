"""guard_or_false: take the general branch where the compiler can't know the answer."""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false

from compile_lessons import capture


# region functions
def scale(x, n):
    if guard_or_false(n == 1):
        return x  # a shortcut that is only faster
    return x * n


def by_data(x, counts):
    return scale(x, counts.sum().item())


def by_size(x, counts):
    return scale(x, counts.shape[0])


# endregion
def list_nodes(function, counts):
    captured = capture(function, until="dynamo", fullgraph=True, dynamic=True)
    [graph] = captured(x, counts).graphs
    return ", ".join(node.name for node in graph.dynamo.calls) or "none"


x = torch.ones(4)
print("nodes, unbacked n:      ", list_nodes(by_data, torch.tensor([2, 3])))
print("nodes, backed n, n = 2: ", list_nodes(by_size, torch.tensor([2, 3])))
print("nodes, backed n, n = 1: ", list_nodes(by_size, torch.tensor([1])))

# region checks
compiled = torch.compile(by_data, backend="eager", fullgraph=True)
for counts in (torch.tensor([1]), torch.tensor([2, 3])):
    assert compiled(x, counts).equal(by_data(x, counts))
# endregion
