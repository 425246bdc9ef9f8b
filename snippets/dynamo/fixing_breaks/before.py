"""A function with three breaks."""

import torch


def normalize(x):
    y = x - x.mean()
    print("mean removed")
    if y.abs().max() > 1:
        y = y / y.abs().max()
    y = sorted([y, -y], key=lambda t: t[0])[1]
    return torch.tanh(y)


found = torch._dynamo.explain(normalize)(torch.arange(4.0))
for reason in found.break_reasons:
    print("line", reason.user_stack[-1].lineno, "-", reason.reason.splitlines()[0])

graph_count, break_count = found.graph_count, len(found.break_reasons)
print("graphs:", graph_count)
assert (graph_count, break_count) == (5, 3)
