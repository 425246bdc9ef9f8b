"""Asking compiles nothing; the first call does."""

import torch

compiles = 0


def counting(graph_module, example_inputs):
    global compiles
    compiles += 1
    return graph_module.forward


@torch.compile(backend=counting)
def scaled(x):
    return x.sin() * 2


after_decoration = compiles
scaled(torch.ones(8))
after_first_call = compiles
scaled(torch.ones(8))
after_second_call = compiles

print(f"graphs compiled after decoration: {after_decoration}")
print(f"after the first call:             {after_first_call}")
print(f"after the second call:            {after_second_call}")
assert (after_decoration, after_first_call, after_second_call) == (0, 1, 1)
