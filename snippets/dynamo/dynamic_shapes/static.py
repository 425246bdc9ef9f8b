"""Sizes that stay static: of a parameter, of a buffer, and of inputs that are looped over or pooled."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


class Cache(torch.nn.Module):
    pass


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


module = Cache()
module.register_buffer("buffer", None)
cases = {
    "an input": (lambda x: x * 2, torch.ones),
    "an nn.Parameter": (lambda x: x * 2, lambda size: torch.nn.Parameter(torch.ones(size))),
    "a buffer": (lambda m: m.buffer * 2, lambda size: setattr(module, "buffer", torch.ones(size)) or module),
    "a plain attribute": (lambda m: m.plain * 2, lambda size: setattr(module, "plain", torch.ones(size)) or module),
    "an input, in range(len(x))": (lambda x: sum(x[i] for i in range(len(x))), torch.ones),
    "an input, in max_pool1d": (lambda x: F.max_pool1d(x[None], 2), torch.ones),
    "an input, in max_pool2d": (lambda x: F.max_pool2d(x[None, None], (1, 2)), torch.ones),
}
rows = []
for name, (function, make_tensor) in cases.items():
    row = [name]
    for dynamic in (None, True):
        torch.compiler.reset()
        graphs, compiled = [], torch.compile(function, backend=keep_graph, dynamic=dynamic)
        for size in (4, 5, 6, 7):
            compiled(make_tensor(size))
        row.append(len(graphs))
    rows.append(row)
show(Table(["the size of", "compiles for 4 sizes", "with dynamic=True"], rows))
# region checks
assert "buffer" in module._buffers and "plain" not in module._buffers
assert [row[1:] for row in rows] == [[2, 1], [4, 4], [4, 4], [2, 1], [4, 4], [4, 4], [2, 1]]
uses = {
    "f-string": lambda x: (x * 2, f"{x.shape[0]}"),
    "key of a dictionary": lambda x: x * {4: 1}.get(x.shape[0], 2),
}
for use, function in uses.items():
    torch.compiler.reset()
    graphs, compiled = [], torch.compile(function, backend=keep_graph)
    for size in (4, 5, 6, 7):
        compiled(torch.ones(size))
    assert len(graphs) == 4, use
# endregion
