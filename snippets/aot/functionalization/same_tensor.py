"""One tensor as two arguments gets its own graph."""

import torch

from compile_lessons import capture, count_recompiles


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


x = torch.zeros(2)
other = torch.zeros(2)
[for_two] = capture(bump_then_double, until="aot")(x, other).graphs
[for_one] = capture(bump_then_double, until="aot")(x, x).graphs
print(for_two.forward.code)
print(for_one.forward.code)
print("recompiles:", count_recompiles(bump_then_double)([(x, other), (x, x)]))
# region checks
assert count_recompiles(bump_then_double)([(x, other), (x, x)]) == 1
inputs = [
    [node for node in graph.forward.nodes if node.op == "placeholder"]
    for graph in (for_two, for_one)
]
assert [len(nodes) for nodes in inputs] == [2, 1]
# endregion
