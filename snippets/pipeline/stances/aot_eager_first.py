"""aot_eager_then_compile: aot_eager serves the first graph, your backend the next one."""

import torch

graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph)
def scaled(x):
    return x.sin() * 2


with torch.compiler.set_stance("aot_eager_then_compile"):
    for size in [4, 4, 5, 6]:
        y = scaled(torch.ones(size, requires_grad=True))
        print(f"size {size}: {type(y.grad_fn).__name__}, graphs of our backend: {len(graphs)}")

# region checks
assert len(graphs) == 1
# endregion
