# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A learning rate scheduler, created before the update is compiled, and after it."""

import warnings

import torch

from compile_lessons import Table, show


def train(compiled, order):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    if order == "before":
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    update = torch.compile(optimizer.step, backend="eager") if compiled else optimizer.step
    if compiled == "optimizer.step":
        optimizer.step = update
    if order == "after":
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    for _ in range(3):
        model(torch.ones(2, 4)).square().sum().backward()
        update()
        optimizer.zero_grad()
        scheduler.step()
    return model.weight


rows = []
for compiled, order in (("optimizer.step", "after"), ("update", "after"), ("optimizer.step", "before")):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            weight, result = train(compiled, order), "runs"
            torch.testing.assert_close(weight, train("", "before"))
        except AttributeError as error:
            result = f"AttributeError: {error}"
    result = "; ".join([result, *(f"{w.message}".split(". ")[0] for w in caught if "lr_sch" in f"{w.message}")])
    rows.append([f"{compiled} = …", order, result])
show(Table(["compiled update", "scheduler created", "result"], rows))
# region checks
assert rows[0][2] == "AttributeError: 'function' object has no attribute '__func__'"
assert rows[1][2] == "runs; Detected call of `lr_scheduler.step()` before `optimizer.step()`" and rows[2][2] == "runs"
# endregion
