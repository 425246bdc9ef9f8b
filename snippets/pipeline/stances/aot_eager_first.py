"""aot_eager_then_compile: the first graph goes to aot_eager, the next one to your backend."""

import torch

graphs = 0


def counting(graph_module, example_inputs):
    global graphs
    graphs += 1
    return graph_module.forward


@torch.compile(backend=counting)
def scaled(x):
    return x.sin() * 2


seen = []
with torch.compiler.set_stance("aot_eager_then_compile"):
    for size in [4, 4, 5, 6]:
        node = type(scaled(torch.ones(size, requires_grad=True)).grad_fn).__name__
        print(f"size {size}: autograd node {node:25} graphs of our backend: {graphs}")
        seen.append((node, graphs))

assert seen[:2] == [("CompiledFunctionBackward", 0)] * 2
assert seen[2:] == [("MulBackward0", 1)] * 2
