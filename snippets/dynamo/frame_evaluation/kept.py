"""Keep the result, or compile the module in place."""

import torch

from compile_lessons import Table, show


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


def graphs_of(make_callable):
    graphs = []

    def keep_graph(graph_module, example_inputs):
        graphs.append(graph_module)
        return graph_module.forward

    torch.compiler.reset()
    make_callable(keep_graph)(torch.ones(2))
    return len(graphs)


def in_place(module, backend):
    module.compile(backend=backend)
    return module


double, relus = Double(), torch.nn.Sequential(torch.nn.ReLU())
kept = graphs_of(lambda backend: torch.compile(relus, backend=backend))
own_class = graphs_of(lambda backend: in_place(double, backend))
torch_class = graphs_of(lambda backend: in_place(relus, backend))

rows = [["compiled = torch.compile(relus); compiled(x)", kept]]
rows += [["double.compile(); double(x)", own_class], ["relus.compile(); relus(x)", torch_class]]
show(Table(["what is called", "graphs"], rows))
skipped = torch._dynamo.trace_rules.check(torch.nn.Sequential.forward.__code__)
assert (kept, own_class, skipped) == (1, 1, True)
assert torch_class == 0 or torch.__version__ >= "2.14"
