"""Add fullgraph=True after a plain compile, without a reset and with one."""

import torch

from compile_lessons import Table, show


def after_line(x):
    x = x + 1
    print(end="")
    return x * 2


def in_loop(x):
    for _ in range(2):
        x = x + 1
        print(end="")
    return x


def outcome(function):
    try:
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))
    except RuntimeError as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return "no error"


rows = []
for function in (after_line, in_loop):
    torch.compile(function, backend="eager")(torch.ones(3))
    without_reset = outcome(function)
    torch.compiler.reset()
    rows += [(function.__name__, "no", without_reset), (function.__name__, "yes", outcome(function))]
show(Table(["function", "reset", "with fullgraph=True"], rows))
# region checks
found = [message.split(":")[0] for _, _, message in rows]
assert found == ["no error", "Unsupported", "RuntimeError", "Unsupported"]
assert rows[2][2].endswith("Compilation was not attempted and no cached compiled code was found.")
# endregion
