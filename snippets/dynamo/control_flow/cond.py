"""torch.cond: two graphs inside a graph."""

import torch

from compile_lessons import keep_graphs


class Gated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.adapter = torch.nn.Linear(4, 4)

    # region copy
    def forward(self, x, gate):
        # skip the adapter if the gate is closed
        return torch.cond(gate > 0, self.adapter, torch.clone, (x,))

    # endregion


kept = keep_graphs()
model = Gated()
x = torch.ones(2, 4)
compiled = torch.compile(model, backend=kept, fullgraph=True)
compiled(x, torch.tensor(1.0))
kept.graphs[0].print_readable()

# region checks
for gate in (torch.tensor(1.0), torch.tensor(-1.0)):
    torch.testing.assert_close(compiled(x, gate), model(x, gate))
assert len(kept.graphs) == 1
# endregion
