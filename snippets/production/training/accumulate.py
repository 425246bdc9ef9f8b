# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""Gradient accumulation, inside the compiled function and outside of it: compiles after each of eight batches."""

import torch

from compile_lessons import Table, show


def keep_graph(graph_module, example_inputs):
    return graphs.append(graph_module) or graph_module.forward


def loss_of(x):
    return model(x).square().mean() / 4


def batch_step(x, batch):
    loss_of(x).backward()
    if batch % 4 == 3:
        optimizer.step()
        optimizer.zero_grad()


rows = []
for inside in (True, False):
    torch.compiler.reset()
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.AdamW(model.parameters())
    graphs, row = [], ["whole step" if inside else "loss"]
    loss_of = torch.compile(loss_of, backend=keep_graph) if not inside else loss_of
    compiled = torch.compile(batch_step, backend=keep_graph) if inside else batch_step
    for batch in range(8):
        compiled(torch.ones(4, 8), batch)
        row.append(len(graphs))
    rows.append(row)
show(Table(["compiled", *(f"{batch + 1}" for batch in range(8))], rows))
# region checks
assert rows[0][1:] == [1, 1, 1, 2, 2, 2, 2, 2] and rows[1][1:] == [1] * 8
# endregion
