# /// lesson
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Three functions that run in eager mode, and one with a break: which logs print?"""

import contextlib
import io

import torch
from torch import nn

from compile_lessons import Table, show

x = torch.ones(2)


# region cases
def compile_in_place():
    model = nn.Sequential(nn.Linear(2, 2))
    model.compile(backend="eager")  # before torch 2.14, this compiles nothing
    model(x)


def generator():
    @torch.compile(backend="eager")
    def multiples(x):
        for factor in range(2):
            yield x * factor

    list(multiples(x))


def break_in_a_loop():
    @torch.compile(backend="eager")
    def doubles(x):
        for _ in range(2):
            x = x * 2
            print(end="")
        return x

    doubles(x)


def one_break():
    @torch.compile(backend="eager")
    def doubles(x):
        x = x * 2
        print(end="")
        return x * 2

    doubles(x)


# endregion


def prints(run, log):
    torch.compiler.reset()
    with contextlib.redirect_stderr(io.StringIO()) as output:
        torch._logging.set_logs(**{log: True})  # private, but documented
        run()
    return "yes" if output.getvalue() else "no"


rows = []
for run in (compile_in_place, generator, break_in_a_loop, one_break):
    name = run.__name__.replace("_", " ")
    rows.append([name, prints(run, "graph_breaks"), prints(run, "graph_code")])
show(Table(["program", "graph_breaks prints", "graph_code prints"], rows))

# region checks
assert [row[2] for row in rows[1:]] == ["no", "no", "yes"]
assert [row[1] for row in rows[1:]] == ["no", "yes", "yes"]
# endregion
