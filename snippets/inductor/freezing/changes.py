# /// lesson
# needs = ["compiler"]
# ///
"""Change the weights of a frozen model in six ways: what does the next call use?"""

import torch
from torch import nn
from torch._inductor import config

from compile_lessons import Table, keep_graphs, show


# region model
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16, bias=False)
        self.norm = nn.RMSNorm(16)

    def forward(self, x):
        return self.linear(x), self.norm(x)


def in_place(block):
    for parameter in block.parameters():
        parameter.mul_(2)


def through_data(block):
    for parameter in block.parameters():
        parameter.data = 2 * parameter


def load(block, assign=False):
    state = {name: 2 * weight for name, weight in block.state_dict().items()}
    block.load_state_dict(state, assign=assign)


def load_and_assign(block):
    load(block, assign=True)


# endregion
def new_parameters(block):
    for module in (block.linear, block.norm):
        module.weight = nn.Parameter(2 * module.weight)


def new_modules(block):
    other = Block()
    block.linear = other.linear
    block.norm = other.norm
    load(block)


changes = {
    "parameter.mul_(2)": in_place,
    "parameter.data = …": through_data,
    "load_state_dict(state)": load,
    "load_state_dict(state, assign=True)": load_and_assign,
    "module.weight = nn.Parameter(…)": new_parameters,
    "block.linear = …, block.norm = …": new_modules,
}
config.freezing = True
x = torch.randn(8, 16)
rows = []
for name, change in changes.items():
    torch.compiler.reset()
    block = Block().eval()
    kept = keep_graphs(then="inductor")
    compiled = torch.compile(block, backend=kept)
    with torch.no_grad():
        compiled(x)
        change(block)
        results = compiled(x)
        expected = block(x)
    recompiles = len(kept.graphs) - 1
    pairs = zip(results, expected, strict=True)
    used = ["new" if torch.allclose(*pair, atol=1e-5) else "old" for pair in pairs]
    rows.append([name, recompiles, *used])
show(Table(["change", "recompiles", "linear", "norm"], rows))
# region checks
assert [row[1:] for row in rows[:3]] == [[0, "old", "new"]] * 3
assert [row[1:] for row in rows[3:]] == [[1, "new", "new"]] * 3
# endregion
