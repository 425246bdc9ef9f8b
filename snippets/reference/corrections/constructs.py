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


def generator(x):
    return sum(x * factor for factor in range(3))


def raised(x):
    try:
        raise ValueError
    except ValueError:
        return x + 1


functions = {"a generator": generator, "try and except": raised, "torch.no_grad()": manager(torch.no_grad)}
functions |= {
    "a lock": manager(lambda: lock),
    "redirect_stdout": manager(lambda: contextlib.redirect_stdout(io.StringIO())),
}
functions |= {"torch.device": manager(lambda: torch.device("cpu")), "open()": manager(lambda: open("/dev/null"))}
rows = []
for name, function in functions.items():
    try:
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))
        rows.append([name, "traced"])
    except torch._dynamo.exc.Unsupported as error:
        rows.append([name, str(error).splitlines()[0]])
show(Table(["construct", "fullgraph=True"], rows))
# region checks
assert [row[1] == "traced" for row in rows] == [True] * 3 + [False] * 4
# endregion
