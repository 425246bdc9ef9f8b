"""guard_or_false: take the general branch where the compiler can't know the answer."""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false

from compile_lessons import capture


def scale(x, n):
    if guard_or_false(n == 1):
        return x  # a shortcut that is only faster
    return x * n


def by_data(x, counts):
    return scale(x, counts.sum().item())


def by_size(x, counts):
    return scale(x, counts.shape[0])


x, counts, one = torch.ones(4), torch.tensor([2, 3]), torch.tensor([1])
for name, function, argument in (
    ("unbacked", by_data, counts),
    ("backed", by_size, counts),
    ("backed, 1", by_size, one),
):
    pipeline = capture(function, until="dynamo", fullgraph=True, dynamic=True)(x, argument)
    nodes = [node.name for graph in pipeline.graphs for node in graph.dynamo.calls]
    print(f"{name:10} nodes: {', '.join(nodes) or 'none'}")

compiled = torch.compile(by_data, backend="eager", fullgraph=True)
# region checks
assert compiled(x, one).equal(by_data(x, one)) and compiled(x, counts).equal(by_data(x, counts))


def known(x, counts):
    n = counts.sum().item()
    torch._check(n == 1)
    return x.sin() if guard_or_false(n == 1) else x.cos()


torch.compiler.reset()
assert torch.compile(known, backend="eager", fullgraph=True)(x, one).equal(x.sin())  # the check makes it known
# endregion
