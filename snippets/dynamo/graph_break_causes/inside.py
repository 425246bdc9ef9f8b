"""Put a print in six places: Dynamo resumes after the print, or skips the function."""

import contextlib

import torch

from compile_lessons import Table, capture, show

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
    exec(f"def function(x):\n    {body}\n    return x", globals())
    pipeline = capture(function, until="dynamo")(torch.ones(8))  # noqa: F821
    rows.append([place, len(pipeline.graphs)])
show(Table(["print in the body of", "graphs"], rows))

# region checks
skipped_graphs = rows[3][1]
assert [row[1] for row in rows] == [2] * 3 + [0] * 3


def leaves_the_loop(x):
    for i in range(3):
        x = x + 1
        if i == 2:
            print(end="")
            return x * 3
    return x * 2


def in_except(x):
    x = x + 1
    try:
        raise ValueError
    except ValueError:
        print(end="")
    return x * 2


assert [len(capture(f, until="dynamo")(torch.ones(8)).graphs) for f in (leaves_the_loop, in_except)] == [2, 0]
# endregion
