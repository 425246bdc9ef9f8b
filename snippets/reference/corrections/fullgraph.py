"""fullgraph=True: one graph for each version, however many versions there are; it changes nothing about sizes."""

import torch
from _count import compiles
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def keep(graph_module, example_inputs):
    graphs.append(graph_module)
    return make_boxed_func(graph_module.forward)


def loss(x):
    return x.sin().sum()


sizes = [(torch.ones(n),) for n in (3, 4, 5, 6)]
graphs: list[torch.fx.GraphModule] = []
with_break, without = compiles(loss, sizes), compiles(loss, sizes, fullgraph=True)
strings = compiles(lambda x, name: x + len(name), [(torch.ones(3), "a" * n) for n in range(1, 5)], fullgraph=True)
torch.compiler.reset()
backend = aot_autograd(fw_compiler=keep, bw_compiler=keep)
torch.compile(loss, backend=backend, fullgraph=True)(torch.ones(3, requires_grad=True)).backward()
rows = [
    ["four sizes, default", with_break],
    ["four sizes, fullgraph=True", without],
    ["four strings, fullgraph=True", strings],
    ["one training step, fullgraph=True: ATen graphs", len(graphs)],
]
show(Table(["calls", "graphs"], rows))
# region checks
assert [row[1] for row in rows] == [2, 2, 4, 2]
# endregion
