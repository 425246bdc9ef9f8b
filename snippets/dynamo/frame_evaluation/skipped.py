"""One module without a tensor operation keeps its whole class in eager mode."""

import torch

from compile_lessons import Table, keep_graphs, show


# region module
class DropPath(torch.nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if self.rate == 0 or not self.training:
            return x
        return x * (torch.rand(len(x), 1) > self.rate) / (1 - self.rate)


# endregion
def how_each_rate_runs(**options):
    torch.compiler.reset()
    cells = []
    for rate in RATES:
        kept = keep_graphs()
        module = DropPath(rate)
        module.compile(backend=kept, **options)
        module(torch.ones(8, 4))
        cells.append("compiled" if kept.runs else "eager")
    return cells


RATES = (0.0, 0.1, 0.2)
by_default = how_each_rate_runs()
fullgraph = how_each_rate_runs(fullgraph=True)
isolated = how_each_rate_runs(isolate_recompiles=True)
rows = list(zip(RATES, by_default, fullgraph, isolated, strict=True))
show(Table(["rate", "default", "fullgraph=True", "isolate_recompiles=True"], rows))

# region checks
assert by_default == ["eager", "eager", "eager"]
assert fullgraph == ["compiled", "compiled", "compiled"]
assert isolated == ["eager", "compiled", "compiled"]
# endregion
