"""Equal sizes share a symbol until they differ."""

import torch


def sums(a, b):
    return a.sum() + b.sum()


def show_inputs(graph_module, example_inputs):
    shapes = [str(x.shape) for x in example_inputs if isinstance(x, torch.Tensor)]
    symbols = sum(isinstance(x, torch.SymInt) for x in example_inputs)
    counts.append(symbols)
    print(f"compiling: {symbols} symbol(s), {shapes}")
    return graph_module.forward


counts = []
compiled = torch.compile(sums, backend=show_inputs, dynamic=True)
for a, b in ((4, 4), (7, 7), (4, 5), (6, 6)):
    print("sizes", a, b)
    compiled(torch.ones(a), torch.ones(b))

assert counts == [1, 2]
