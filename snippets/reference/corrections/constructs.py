"""Python constructs under fullgraph=True: some are traced, some raise."""

import contextlib
import io
import threading

import torch

from compile_lessons import Table, show

lock = threading.Lock()


def manager(context):
    def add(x):
        with context():
            return x + 1

    return add


functions = {
    "a generator": lambda x: sum(x * factor for factor in range(3)),
    "torch.no_grad()": manager(torch.no_grad),
    "a lock": manager(lambda: lock),
    "redirect_stdout": manager(lambda: contextlib.redirect_stdout(io.StringIO())),
    "torch.device": manager(lambda: torch.device("cpu")),
}
rows = []
for name, function in functions.items():
    try:
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))
        rows.append([name, "traced"])
    except torch._dynamo.exc.Unsupported as error:
        rows.append([name, str(error).splitlines()[0]])
show(Table(["construct", "fullgraph=True"], rows))
# region checks
assert [row[1] == "traced" for row in rows] == [True] * 2 + [False] * 3
# endregion
