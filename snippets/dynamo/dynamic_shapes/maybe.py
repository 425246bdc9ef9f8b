"""maybe_mark_dynamic makes the size static without an error."""

import torch


def fixed(x):
    return x + 1 if x.shape[0] == 4 else x * 2


def show_shape(graph_module, example_inputs):
    shapes.append(list(example_inputs[-1].shape))
    print("compiling for", shapes[-1])
    return graph_module.forward


shapes, first = [], torch.ones(4)
torch._dynamo.maybe_mark_dynamic(first, 0)
compiled = torch.compile(fixed, backend=show_shape)
for x in (first, torch.ones(5), torch.ones(6)):
    compiled(x)

# region checks
assert shapes[0] == [4] and len(shapes) == 2
# endregion
