"""Guard types of functions, classes and objects, and a change that each notices."""

import math  # noqa: F401, named in the examples

import numpy  # noqa: F401, named in the examples
import torch

from compile_lessons import Table, capture, show

Plain = type("Plain", (), {"size": 2.5})


def helper(x):
    return x + 1


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


plain, x, rows, seen, versions = Plain(), torch.ones(4), [], {"TENSOR_MATCH"}, []
examples = """helper(x) | helper.__code__ = (lambda x: x + 2).__code__
x + math.sqrt(4) | math = numpy
x + isinstance(plain, Plain) | Plain = dict
x * plain.size | plain.size = 3.0
x + hasattr(plain, 'note') | plain.note = 1"""
for code, change in [line.split(" | ") for line in examples.splitlines()]:
    graphs, function = [], eval(f"lambda x: {code}")
    kinds = {guard.kind for guard in capture(function, until="dynamo")(x).guards if guard.source}
    rows.append([code, change, ", ".join(sorted(kinds - seen))])
    seen, compiled = seen | kinds, torch.compile(function, backend=keep_graph)
    compiled(x)
    exec(change)
    compiled(x)
    versions.append(len(graphs))
show(Table(["code", "recompiles after", "guard types not seen above"], rows))
# region checks
assert versions == [2] * 5
# endregion
