"""Mark a batch whose size takes the general branch."""

import torch

from compile_lessons import Table, show


def fixed(x):
    return x + 1 if x.shape[0] == 4 else x * 2


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, rows = [], []
compiled = torch.compile(fixed, backend=keep_graph)  # leave out backend= for Inductor
first = torch.ones(5)  # not 4
torch._dynamo.mark_dynamic(first, 0)  # dimension 0 will change
for x in (first, torch.ones(3), torch.ones(6), torch.ones(4), torch.ones(7)):
    results = compiled(x), fixed(x)
    rows.append([len(x), len(graphs), torch.equal(*results)])
show(Table(["size", "compiles so far", "equals eager mode"], rows))

# region checks
assert rows == [[5, 1, True], [3, 1, True], [6, 1, True], [4, 2, True], [7, 2, True]]


def ranged(x):
    return x + 1 if x.shape[0] <= 4 else x * 2


for sizes in ([4, 3, 5, 6, 2], [5, 6, 3, 4]):
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(ranged, backend=keep_graph)
    for size in sizes:
        x = torch.ones(size)
        torch._dynamo.mark_dynamic(x, 0)  # accepted for each size
        assert torch.equal(compiled(x), ranged(x))
    assert len(graphs) == 2
# endregion
