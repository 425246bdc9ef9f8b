# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""24 blocks compiled one by one, with an int that differs between them."""

import torch

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def __init__(self, layer_idx):
        super().__init__()
        self.layer_idx, self.linear = layer_idx, torch.nn.Linear(8, 8)

    def forward(self, x):
        return x + self.linear(x) / (self.layer_idx + 1)


def counting(graph_module, example_inputs):
    graphs.append(graph_module)
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


cases = [("block.compile()", False), ("block.compile(isolate_recompiles=True)", False), ("block.compile()", True)]
rows = []
with torch.no_grad():
    for case, setting in cases:
        torch.compiler.reset()
        torch._dynamo.config.allow_unspec_int_on_nn_module = setting
        graphs, runs, blocks = [], [], [Block(i) for i in range(24)]
        for block in blocks:
            block.compile(backend=counting, isolate_recompiles="isolate" in case)
            block(torch.ones(2, 8))
        rows.append([case, "on" if setting else "off", len(graphs), len(runs), 24 - len(runs)])
show(Table(["compiled with", "setting", "compiles", "blocks compiled", "blocks in eager mode"], rows))
# region checks
assert [row[2:] for row in rows] == [[8, 8, 16], [24, 24, 0], [2, 24, 0]]


class Cached(Block):
    def forward(self, x, cache):
        return x + self.linear(x) + (cache[self.layer_idx] if isinstance(cache, list) else cache)


cache = [torch.ones(8)] * 24
for by_index, expected in ((True, [8, 8]), (False, [1, 24])):  # the setting is on
    torch.compiler.reset()
    graphs, runs, blocks = [], [], [Cached(i) for i in range(24)]
    for i, block in enumerate(blocks):
        block.compile(backend=counting)
        with torch.no_grad():
            block(torch.ones(2, 8), cache if by_index else cache[i])
    assert [len(graphs), len(runs)] == expected
# endregion
