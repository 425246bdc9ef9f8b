# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A step counter in one submodule puts the whole model in eager mode, and two fixes."""

import torch

from compile_lessons import Table, keep_graphs, show


# region modules
class Warmup(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * (self.step / 100)


class CountedOutside(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.tensor(0), persistent=False)

    def forward(self, x):  # the caller adds 1 to step
        return x * (self.step / 100)


# endregion


def call_a_hundred_times(warmup):
    torch.compiler.reset()
    kept = keep_graphs()
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), warmup)
    model.compile(backend=kept)
    for _ in range(100):
        if isinstance(warmup, CountedOutside):
            warmup.step += 1
        model(torch.ones(1, 4))
    return len(kept.graphs), 100 - len(kept.runs)


rows = [
    ["int", *call_a_hundred_times(Warmup())],
    ["buffer, changed outside", *call_a_hundred_times(CountedOutside())],
]
torch.compiler.config.allow_unspec_int_on_nn_module = True
rows.append(["int, with the setting", *call_a_hundred_times(Warmup())])
show(Table(["self.step is", "compiles", "calls of the model in eager mode"], rows))

# region checks
eager_calls = rows[0][2]
assert [row[1:] for row in rows] == [[8, 92], [1, 0], [2, 0]]
# endregion
