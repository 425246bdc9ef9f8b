"""Count the symbols of two equal sizes."""

import torch

from compile_lessons import Table, keep_graphs, show


def sums(a, b):
    return a.sum() + b.sum()


def count_symbols(graph):
    inputs = graph.graph.find_nodes(op="placeholder")
    return sum(isinstance(node.meta["example_value"], torch.SymInt) for node in inputs)


def compiles_of_calls(dynamic=None, mark=False):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(sums, backend=kept, dynamic=dynamic)
    cells = []
    for sizes in ((4, 4), (7, 7), (4, 5), (6, 6)):
        a, b = map(torch.ones, sizes)
        if mark:
            torch._dynamo.mark_dynamic(a, 0)
            torch._dynamo.mark_dynamic(b, 0)
        before = len(kept.graphs)
        compiled(a, b)
        new = kept.graphs[before:]
        cells.append(f"compiles: {count_symbols(new[0])} symbol(s)" if new else "-")
    return cells


rows = [
    ["dynamic=True", *compiles_of_calls(dynamic=True)],
    ["automatic", *compiles_of_calls()],
    ["mark_dynamic", *compiles_of_calls(mark=True)],
]
show(Table(["dynamic by", "4 and 4", "7 and 7", "4 and 5", "6 and 6"], rows))

# region checks
assert [cell != "-" for cell in rows[0][1:]] == [True, False, True, False]
assert rows[0][1].endswith("1 symbol(s)")
assert rows[1][2].endswith("2 symbol(s)")
assert rows[2][1].endswith("2 symbol(s)")
assert rows[1][3] == rows[2][3] == "-"
# endregion
