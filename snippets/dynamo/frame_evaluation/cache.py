"""Compiled versions belong to the code object."""

import torch

from compile_lessons import Table, keep_graphs, show


def make_scale(factor):
    def scale(x):
        return x * factor

    return scale


double = make_scale(2)
triple = make_scale(3)
backend = keep_graphs()
other_backend = keep_graphs()
compiled = {
    "double": torch.compile(double, backend=backend),
    "triple, a different factor": torch.compile(triple, backend=backend),
    "another closure with factor 2": torch.compile(make_scale(2), backend=backend),
    "double, with dynamic=True": torch.compile(double, backend=backend, dynamic=True),
    "double, with a different backend": torch.compile(double, backend=other_backend),
}
rows = []
for name, function in compiled.items():
    before = len(backend.graphs + other_backend.graphs)
    function(torch.ones(4))
    compiles = len(backend.graphs + other_backend.graphs) > before
    rows.append([name, "compiles" if compiles else "uses a version that exists"])
show(Table(["torch.compile of", "its first call"], rows))

# region checks
assert double.__code__ is triple.__code__
assert [row[1] == "compiles" for row in rows] == [True, True, False, True, True]
# endregion
