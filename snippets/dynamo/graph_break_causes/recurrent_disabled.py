"""The LSTM is called in a disabled method, and what is around it is compiled."""

import torch

from compile_lessons import count_graphs


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Linear(4, 4)
        self.lstm = torch.nn.LSTM(4, 4)
        self.head = torch.nn.Linear(4, 2)

    # region method
    @torch.compiler.disable
    def recur(self, h):
        return self.lstm(h)[0]

    def forward(self, x):
        h = torch.relu(self.embed(x))
        h = self.recur(h)
        return torch.sigmoid(self.head(h))

    # endregion


graphs = count_graphs(Tagger())(torch.ones(3, 4))
print(graphs, "graphs")

# region checks
assert graphs == 2
# endregion
