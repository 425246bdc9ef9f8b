"""A method that isn't forward: compiled by name."""

import torch
from _model import Model

from compile_lessons import Table, show


class Encoder(Model):
    # region method
    def encode(self, tokens):
        return torch.nn.functional.normalize(self(tokens).mean(1), dim=-1)

    # endregion


def keep_graph(graph_module, example_inputs):
    graphs.append(sum(node.op.startswith("call_") for node in graph_module.graph.nodes))
    return graph_module.forward


rows, tokens = [], torch.randint(0, 64, (4, 8))
for name in ["model.compile()", "torch.compile(model)", "@torch.compile above encode"]:
    torch.compiler.reset()
    graphs, model = [], Encoder()
    if name == "model.compile()":
        model.compile(backend=keep_graph)
    elif name == "torch.compile(model)":
        model = torch.compile(model, backend=keep_graph)
    else:
        Encoder.encode = torch.compile(Encoder.encode, backend=keep_graph)
    model.encode(tokens)
    rows.append([name, len(graphs), sum(graphs)])
show(Table(["compiled with", "graphs in model.encode(x)", "operations in them"], rows))
# region checks
assert [row[1:] for row in rows] == [[1, 32], [0, 0], [1, 34]]
# endregion
