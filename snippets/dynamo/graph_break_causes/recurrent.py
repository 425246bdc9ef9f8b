"""A recurrent layer ends the graph, and the rest of the function runs in eager mode."""

import torch

from compile_lessons import Table, capture, show


# region model
class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Linear(4, 4)
        self.lstm = torch.nn.LSTM(4, 4)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        h = torch.relu(self.embed(x))
        h, _ = self.lstm(h)
        return torch.sigmoid(self.head(h))


# endregion
layers = ("linear", "relu", "lstm", "sigmoid")
rows = []
for allow_rnn in (False, True):
    torch._dynamo.config.allow_rnn = allow_rnn
    graphs = capture(Tagger(), until="dynamo")(torch.ones(3, 4)).graphs
    targets = [node.target for graph in graphs for node in graph.dynamo.calls]
    names = [target.split(".")[-1] for target in targets]
    rows.append([allow_rnn, len(graphs), ", ".join(n for n in names if n in layers)])
show(Table(["allow_rnn", "graphs", "layers and functions in the graphs"], rows))

# region checks
assert rows[0] == [False, 1, "linear, relu"]
assert rows[1] == [True, 1, "linear, relu, lstm, linear, sigmoid"]
# endregion
