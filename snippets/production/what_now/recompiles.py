# /// lesson
# env = {TORCH_LOGS = "recompiles", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""A decoder that counts its tokens recompiles for each token; a fixed one doesn't."""

import torch

from compile_lessons import Table, keep_graphs, show


class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(8, 8)
        self.cache = torch.zeros(32, 8)
        self.position = 0

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


token = torch.ones(8)
counted = keep_graphs()
passed = keep_graphs()
decoder = Decoder()
decoder.compile(backend=counted)
fixed = Fixed()
fixed.compile(backend=passed)
with torch.no_grad():
    for position in range(20):
        decoder(token)
        fixed(token, torch.tensor([position]))
rows = [
    ["self.position", len(counted.graphs), 20 - len(counted.runs)],
    ["argument", len(passed.graphs), 20 - len(passed.runs)],
]
show(Table(["position", "compiles", "eager calls"], rows))

# region checks
assert [row[1:] for row in rows] == [[8, 12], [1, 0]]
# endregion
