"""Most matmuls stay whole; a few small matmuls are decomposed."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    graphs.append([n.target.__name__.split(".")[0] for n in graph_module.graph.nodes if n.op == "call_function"])
    return make_boxed_func(graph_module.forward)


backend = aot_autograd(fw_compiler=keep_graph, decompositions=select_decomp_table())
linear, convolution = torch.nn.Linear(8, 8), torch.nn.Conv2d(1, 1, 3)
calls = {
    "(64, 64) @ (64, 64)": lambda: torch.compile(torch.mm, backend=backend)(torch.ones(64, 64), torch.ones(64, 64)),
    "(1, 5) @ (5, 1)": lambda: torch.compile(torch.mm, backend=backend)(torch.ones(1, 5), torch.ones(5, 1)),
    "Linear(8, 8), batch 8": lambda: torch.compile(linear, backend=backend)(torch.ones(8, 8)),
    "Linear(8, 8), batch 1": lambda: torch.compile(linear, backend=backend)(torch.ones(1, 8)),
    "Conv2d": lambda: torch.compile(convolution, backend=backend)(torch.ones(1, 1, 4, 4)),
}
graphs = []
with torch.no_grad():
    for call in calls.values():
        torch.compiler.reset()
        call()
show(Table(["call", "operators on a CPU"], [[name, " ".join(ops)] for name, ops in zip(calls, graphs, strict=True)]))
# region checks
whole = [any(op in ("mm", "addmm", "convolution") for op in ops) for ops in graphs]
assert whole == [True, False, True, False, True]
# endregion
