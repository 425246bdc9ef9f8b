"""The official example for floats, counted: three compiles in five calls."""

import torch


@torch.compile(backend=lambda graph_module, example_inputs: graphs.append(1) or graph_module.forward)
def fn(x, c):
    return x + c


graphs, counts = [], []
for i in range(5):
    fn(torch.ones(i), 0.5 + i)
    counts.append(len(graphs))
print("compiles after each call:", counts)
# region checks
assert counts == [1, 2, 3, 3, 3]
# endregion
