# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A step counter in one submodule: the whole model runs in eager mode, and two fixes."""

import torch

from compile_lessons import Table, show


class Warmup(torch.nn.Module):
    def __init__(self, step):
        super().__init__()
        if isinstance(step, torch.Tensor):
            self.register_buffer("step", step)
        else:
            self.step = step

    def forward(self, x):
        self.step += 1
        return x * (self.step / 100)


def counting(graph_module, example_inputs):
    graphs.append(graph_module)
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


rows = []
for case, step, setting in [("int", 0, False), ("int, setting on", 0, True), ("buffer", torch.tensor(0), False)]:
    torch.compiler.reset()
    torch._dynamo.config.allow_unspec_int_on_nn_module = setting
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), Warmup(step))
    graphs, runs, compiled = [], [], torch.compile(model, backend=counting)
    results = [compiled(torch.ones(1, 4)) for _ in range(100)]
    rows.append([case, len(graphs), 100 - len(runs)])
show(Table(["self.step is", "compiles", "calls of the model in eager mode"], rows))
# region checks
assert [row[1:] for row in rows] == [[8, 92], [2, 0], [1, 0]]
# endregion
