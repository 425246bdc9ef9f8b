"""The fake tensor of each node, with a fixed and with a dynamic size of the input."""

import torch

from compile_lessons import Table, keep_graphs, show


# region function
def positive(x):
    both = torch.cat([x, x.flip(0)])
    kept = both[both > 0]
    return kept.sum(dtype=torch.float64)


# endregion
def describe_tensors(dynamic):
    torch.compiler.reset()
    graphs = keep_graphs()
    compiled = torch.compile(positive, backend=graphs, fullgraph=True, dynamic=dynamic)
    compiled(torch.randn(3, 4))
    values = {}
    for node in graphs.graphs[0].graph.nodes:
        value = node.meta.get("example_value")
        if isinstance(value, torch.Tensor):
            sizes = ", ".join(str(size) for size in value.shape)
            values[node.name] = f"{value.dtype} ({sizes})".removeprefix("torch.")
    return values


fixed = describe_tensors(dynamic=False)
dynamic = describe_tensors(dynamic=True)
rows = [[name, fixed[name], dynamic[name]] for name in fixed]
show(Table(["node", "example_value", "with dynamic=True"], rows))

# region checks
assert any("(u0)" in row[1] for row in rows)
assert any("2*s" in row[2] for row in rows)
assert rows[-1][1] == "float64 ()"
# endregion
