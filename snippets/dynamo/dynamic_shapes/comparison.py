"""Pass a comparison of a size to an operator, in four forms."""

import torch

from compile_lessons import Table, keep_graphs, show


# region functions
def comparison(x):
    return x.sum(0, keepdim=x.shape[0] > 4) * 2


def with_bool(x):
    return x.sum(0, keepdim=bool(x.shape[0] > 4)) * 2


def with_is_true(x):
    return x.sum(0, keepdim=(x.shape[0] > 4) is True) * 2


def with_branch(x):
    return x.sum(0, keepdim=True if x.shape[0] > 4 else False) * 2  # noqa: SIM210


# endregion


def error_with_fullgraph(function):
    torch.compiler.reset()
    try:
        torch.compile(function, backend="eager", dynamic=True, fullgraph=True)(six)
    except torch._dynamo.exc.Unsupported as error:
        return str(error).partition("'keepdim' ")[2].splitlines()[0]
    return "-"


three = torch.ones(3)
six = torch.ones(6)
rows = []
for function in (comparison, with_bool, with_is_true, with_branch):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept, dynamic=True)
    matches = [compiled(x).shape == function(x).shape for x in (six, three)]
    row = [function.__name__, len(kept.graphs), all(matches)]
    rows.append([*row, error_with_fullgraph(function)])
columns = [
    "function",
    "graphs for 6 and 3",
    "shapes match",
    "error with fullgraph=True",
]
show(Table(columns, rows))

# region checks
assert [row[1:3] for row in rows] == [[3, True], [3, True], [1, False], [2, True]]
for row in rows[:2]:
    assert "must be bool, not SymBool" in row[3]
assert [row[3] for row in rows[2:]] == ["-", "-"]
# endregion
