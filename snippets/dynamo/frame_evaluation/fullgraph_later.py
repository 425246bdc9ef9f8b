"""Add fullgraph=True after a plain compile, without a reset and with one."""

import torch

from compile_lessons import Table, show


# region functions
def print_after_line(x):
    x = x + 1
    print(end="")
    return x * 2


def print_in_loop(x):
    for _ in range(2):
        x = x + 1
        print(end="")
    return x


# endregion


def outcome_with_fullgraph(function):
    try:
        torch.compile(function, backend="eager", fullgraph=True)(torch.ones(3))
    except RuntimeError as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return "no error"


rows = []
for function in (print_after_line, print_in_loop):
    torch.compile(function, backend="eager")(torch.ones(3))
    rows.append([function.__name__, "no", outcome_with_fullgraph(function)])
    torch.compiler.reset()
    rows.append([function.__name__, "yes", outcome_with_fullgraph(function)])
show(Table(["function", "reset", "with fullgraph=True"], rows))

# region checks
outcomes = [row[2].split(":")[0] for row in rows]
assert outcomes == ["no error", "Unsupported", "RuntimeError", "Unsupported"]
assert "Compilation was not attempted and no cached compiled code" in rows[2][2]
# endregion
