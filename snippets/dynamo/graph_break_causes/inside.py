"""Put a print in six places: does Dynamo compile what comes before and after it?"""

import contextlib

import torch

from compile_lessons import Table, count_graphs, show

PLACES = {
    "the function": "{print}",
    "with torch.no_grad()": "with torch.no_grad():\n        {print}",
    "with torch.autocast": "with torch.autocast('cpu'):\n        {print}",
    "for": "for _ in range(3):\n        {print}",
    "try": "try:\n        {print}\n    finally:\n        pass",
    "with a context manager of yours": "with scope():\n        {print}",
}


@contextlib.contextmanager
def scope():
    yield


rows = []
for place, statement in PLACES.items():
    body = statement.format(print="x = x + 1; print(end=''); x = x * 2")
    row = [place]
    for before in ("pass", "x = x.sin().cos()"):
        exec(f"def step(x):\n    {before}\n    {body}\n    return x")
        row.append(count_graphs(step)(torch.ones(8)))  # noqa: F821
    rows.append(row)
show(Table(["print in the body of", "graphs", "after two operations"], rows))

# region checks
assert [row[1] for row in rows] == [2] * 3 + [0] * 3
assert [row[2] for row in rows] == [2] * 3 + [0, 1, 1]
# endregion
