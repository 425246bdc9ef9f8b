"""Count the symbols of two equal sizes."""

import torch

from compile_lessons import Table, show


def sums(a, b):
    return a.sum() + b.sum()


def count_symbols(graph_module, example_inputs):
    symbols.append(sum(isinstance(value, torch.SymInt) for value in example_inputs))
    return graph_module.forward


rows = []
for how in ("dynamic=True", "automatic", "mark_dynamic"):
    torch.compiler.reset()
    symbols, row = [], [how]
    compiled = torch.compile(sums, backend=count_symbols, dynamic=True if how == "dynamic=True" else None)
    for sizes in ((4, 4), (7, 7), (4, 5), (6, 6)):
        a, b = map(torch.ones, sizes)
        if how == "mark_dynamic":
            torch._dynamo.mark_dynamic(a, 0)
            torch._dynamo.mark_dynamic(b, 0)
        before = len(symbols)
        compiled(a, b)
        row.append(f"compiles: {symbols[-1]} symbol(s)" if len(symbols) > before else "-")
    rows.append(row)
show(Table(["dynamic by", "4 and 4", "7 and 7", "4 and 5", "6 and 6"], rows))
# region checks
assert [cell != "-" for cell in rows[0][1:]] == [True, False, True, False]
assert rows[0][1].endswith("1 symbol(s)") and rows[1][2].endswith("2 symbol(s)") and rows[2][1].endswith("2 symbol(s)")
assert rows[1][3] == rows[2][3] == "-"
# endregion
