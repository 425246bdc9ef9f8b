"""A print in a helper breaks its caller too; nested_graph_breaks keeps the pieces together."""

import torch

from compile_lessons import Table, capture, show


def helper(x):
    x = x + 1
    print("halfway")
    return x * 2


def outer(x):
    return helper(x - 1) / 3


def graphs_of_outer():
    return [
        [node.name for node in graph.dynamo.calls] for graph in capture(outer, until="dynamo")(torch.ones(3)).graphs
    ]


by_default = graphs_of_outer()
torch._dynamo.config.nested_graph_breaks = True
nested = graphs_of_outer()
rows = [["False", len(by_default), str(by_default)], ["True", len(nested), str(nested)]]
show(Table(["nested_graph_breaks", "graphs", "operators"], rows))

# region checks
assert (len(by_default), len(nested)) == (4, 2)


class Quiet(torch.nn.Module):
    def forward(self, x):
        x = x + 1
        print(end="")
        return x * 2


def loop(x):
    x = x - 1
    for _ in range(3):
        x = quiet(x)
    return x / 3


def guarded(x):
    try:
        return quiet(x - 1) / 3
    except ValueError:
        return x


quiet = Quiet()
blocks = torch.nn.Sequential(quiet, quiet)
for caller, same in (
    (lambda x: quiet(x - 1) / 3, False),
    (loop, True),
    (guarded, True),
    (lambda x: blocks(x - 1), True),
):
    counts = []
    for torch._dynamo.config.nested_graph_breaks in (False, True):
        torch.compiler.reset()
        counts.append(len(capture(caller, until="dynamo")(torch.ones(3)).graphs))
    assert (counts[0] == counts[1]) is same, (caller, counts)
# endregion
