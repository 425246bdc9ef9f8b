"""A recurrent layer breaks the graph, and the rest of the function runs in eager mode."""

import torch

from compile_lessons import Table, show


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.lstm, self.head = torch.nn.Linear(4, 4), torch.nn.LSTM(4, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        h = torch.relu(self.embed(x))
        h, _ = self.lstm(h)
        return torch.sigmoid(self.head(h))


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


wanted, rows = {"linear", "relu", "lstm", "sigmoid"}, []
for torch._dynamo.config.allow_rnn in (False, True):
    torch.compiler.reset()
    graphs, model = [], Tagger()
    model.compile(backend=keep_graph)
    model(torch.ones(3, 4))
    called = [getattr(node.target, "__name__", "") for graph in graphs for node in graph.graph.nodes]
    rows.append([torch._dynamo.config.allow_rnn, len(graphs), ", ".join(name for name in called if name in wanted)])
show(Table(["allow_rnn", "graphs", "layers and functions in the graphs"], rows))

# region checks
assert [row[1:] for row in rows] == [[1, "linear, relu"], [1, "linear, relu, lstm, linear, sigmoid"]]
torch._dynamo.config.allow_rnn = False
for layer in (torch.nn.GRU, torch.nn.RNN):
    torch.compiler.reset()
    graphs, model.lstm = [], layer(4, 4)
    model(torch.ones(3, 4))
    assert [len(graphs), len([n for n in graphs[0].graph.nodes if "call" in n.op])] == [1, 2]
torch._dynamo.config.allow_rnn = True
torch._dynamo.config.recompile_limit = 3  # instead of 8
torch._logging.set_logs(dynamo=50)  # no warning at the limit
for layer, grad, compiles in [(torch.nn.GRU, True, 3), (torch.nn.LSTM, True, 3), (torch.nn.LSTM, False, 2)]:
    torch.compiler.reset()
    graphs, model.lstm = [], layer(4, 4)
    with torch.set_grad_enabled(grad):
        for length in range(2, 6):  # each length needs a version, up to the limit
            model(torch.ones(length, 2, 4))
    assert len(graphs) == compiles
# endregion
