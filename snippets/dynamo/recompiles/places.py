# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Ten steps: where the number of the step is kept decides how often Dynamo compiles."""

import torch

from compile_lessons import Table, keep_graphs, show


# region steps
def scale_by_tensor(x, model):
    return x * model.step_tensor  # torch.tensor(step)


def scale_by_float(x, model):
    return x * model.step_float  # step / 100


def scale_by_int(x, model):
    return x * model.step


def scale_by_global(x, model):
    return x * step


# endregion


def call_ten_times(function):
    global step
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept)
    model = torch.nn.Module()
    for step in range(2, 12):
        model.step_tensor = torch.tensor(step)
        model.step_float = step / 100
        model.step = step
        compiled(torch.ones(4), model)
    return len(kept.graphs), 10 - len(kept.runs)


functions = (scale_by_tensor, scale_by_float, scale_by_int, scale_by_global)
rows = [[function.__name__, *call_ten_times(function)] for function in functions]
show(Table(["function", "compiles", "calls in eager mode"], rows))

# region checks
assert [row[1] for row in rows] == [1, 2, 8, 8]
assert [row[2] for row in rows] == [0, 0, 2, 2]
# endregion
