"""The fake tensor of each node: known sizes, sizes of inputs as symbols, and a size that depends on data."""

import torch

from compile_lessons import Table, show


def positive(x):
    both = torch.cat([x, x.flip(0)])
    kept = both[both > 0]
    return kept.sum(dtype=torch.float64)


def keep_values(graph_module, example_inputs):
    for node in graph_module.graph.nodes:
        value = node.meta.get("example_value")
        if isinstance(value, torch.Tensor):
            sizes = ", ".join(str(size) for size in value.shape)
            values.append([node.name, f"{value.dtype} ({sizes})".removeprefix("torch."), str(value.device)])
    return graph_module.forward


tables = []
for dynamic in (False, True):
    torch.compiler.reset()
    values = []
    torch.compile(positive, backend=keep_values, fullgraph=True, dynamic=dynamic)(torch.randn(3, 4))
    tables.append(values)

rows = [[*static, moving[1]] for static, moving in zip(*tables, strict=True)]
rows = [[name, sizes, moving, device] for name, sizes, device, moving in rows]
show(Table(["node", "example_value", "with dynamic=True", "device"], rows))
# region checks
assert any("(u0)" in row[1] for row in rows) and any("2*s" in row[2] for row in rows)
assert rows[-1][1] == "float64 ()"
# endregion
