"""Compiled versions belong to the code object."""

import torch

from compile_lessons import Table, show


def make_scale(factor):
    def scale(x):
        return x * factor

    return scale


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


graphs, rows, x = [], [], torch.ones(4)
double, triple = make_scale(2), make_scale(3)
cases = {
    "double": (double, {}),
    "triple, a different factor": (triple, {}),
    "another closure with factor 2": (make_scale(2), {}),
    "double, with dynamic=True": (double, {"dynamic": True}),
    "double, with a different backend": (double, {"backend": lambda graph, inputs: keep_graph(graph, inputs)}),
}
for name, (function, keywords) in cases.items():
    before = len(graphs)
    torch.compile(function, **{"backend": keep_graph} | keywords)(x)
    rows.append([name, "compiles" if len(graphs) > before else "uses a version that exists"])
show(Table(["torch.compile of", "its first call"], rows))
# region checks
assert double.__code__ is triple.__code__
assert [row[1] == "compiles" for row in rows] == [True, True, False, True, True]
# endregion
