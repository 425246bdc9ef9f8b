# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A decoder that counts its tokens recompiles for each token; with the position as an argument it doesn't."""

import torch
from _counting import counting, graphs, runs

from compile_lessons import Table, show


class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.cache, self.position = torch.nn.Linear(8, 8), torch.zeros(32, 8), 0

    # region before
    def forward(self, token):
        self.cache[self.position] = self.project(token)
        self.position += 1
        return self.cache.sum(0)

    # endregion


class Fixed(Decoder):
    # region after
    def forward(self, token, position):  # position is a tensor with one index
        self.cache.index_copy_(0, position, self.project(token)[None])
        return self.cache.sum(0)

    # endregion


rows, token = [], torch.ones(8)
cases = {"self.position": (Decoder(), lambda n: ()), "argument": (Fixed(), lambda n: (torch.tensor([n]),))}
for name, (model, position) in cases.items():
    model.compile(backend=counting)
    before = len(graphs), len(runs)
    with torch.no_grad():
        results = [model(token, *position(n)) for n in range(20)]
    rows.append([name, len(graphs) - before[0], 20 - len(runs) + before[1]])
show(Table(["position", "compiles", "eager calls"], rows))
# region checks
assert [row[1:] for row in rows] == [[8, 12], [1, 0]]
# endregion
