# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Values and sizes that depend on data: breaks, and what fullgraph=True captures."""

import torch
from _count import compiles

from compile_lessons import Table, show

functions = {
    "x.sum().item()": lambda x: (x + 1) * x.sum().item(),
    "float(x.sum())": lambda x: (x + 1) * float(x.sum()),
    "x.nonzero()": lambda x: (x + 1).nonzero() * 2,
    "x[x > 0]": lambda x: (x + 1)[x > 0] * 2,
    "x.data_ptr()": lambda x: ((x + 1) * 2, x.data_ptr()),
    "if x.data_ptr() % 16 == 0": lambda x: x + 1 if x.data_ptr() % 16 == 0 else x,
    "if x.sum().item() > 0": lambda x: (x + 1) * 2 if x.sum().item() > 0 else x,
}


def graphs(function, fullgraph):
    try:
        count = compiles(function, [(torch.ones(4),)], fullgraph=fullgraph)
    except (torch._dynamo.exc.UserError, torch._dynamo.exc.Unsupported):
        return "error"
    return "1 graph" if count == 1 else f"{count} graphs"


rows = []
for name, function in functions.items():
    rows.append([name, graphs(function, False), graphs(function, True)])
show(Table(["function", "by default", "fullgraph=True"], rows))
# region checks
assert [row[2] for row in rows] == ["1 graph"] * 5 + ["error"] * 2
assert [row[1] for row in rows[:4]] == ["2 graphs"] * 4
assert [row[1] for row in rows[4:]] == ["1 graph", "0 graphs", "2 graphs"]
# endregion
