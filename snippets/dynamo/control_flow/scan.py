"""scan carries a value along a dimension; map applies a function to each part."""

import torch
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.scan import scan

from compile_lessons import Table, show


def add(total, x):
    total = total + x
    return total, total.clone()


def with_scan(x):
    return scan(add, torch.zeros(()), x)[1]


def with_loop(x):
    total, results = torch.zeros(()), []
    for part in x:
        total, result = add(total, part)
        results.append(result)
    return torch.stack(results)


def with_map(x):
    return map_over(lambda part: part * 2, x)


graphs = []


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


rows = []
for function in (with_loop, with_scan, with_map):
    for length in (5, 50):
        torch.compiler.reset()
        graphs.clear()
        x = torch.arange(float(length))
        result = torch.compile(function, backend=keep_graph, fullgraph=True)(x)
        rows.append([function.__name__, length, len(graphs[0].graph.nodes)])
        assert torch.equal(result, x * 2 if function is with_map else x.cumsum(0))

show(Table(["function", "length", "nodes"], rows))
loop_5, loop_50, scan_5, scan_50, map_5, map_50 = (row[2] for row in rows)
assert loop_50 > 100 and (scan_5, map_5) == (scan_50, map_50)
