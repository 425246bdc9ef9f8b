"""One number from seven places, and the line of the graph that uses it."""

import numpy
import torch

from compile_lessons import Table, capture, show

numbers = {"scale": [0, 3]}


def make(scale):
    return lambda x: x * scale


functions = {
    "constant": lambda x: x * 3,
    "closure": make(3),
    "dict and list": lambda x: x * numbers["scale"][-1],
    "built-in calls": lambda x: x * len(str(100)),
    "comprehension": lambda x: x * max([n for n in range(5) if n % 3 == 0]),
    "NumPy scalar": lambda x: x * numpy.float64(3),
    "tensor": lambda x: x * torch.tensor(3),
}
rows = []
for name, function in functions.items():
    graph = capture(function, until="dynamo")(torch.ones(2)).graphs[0].dynamo
    [product] = [line.split(";")[0].strip() for line in graph.code.splitlines() if " * " in line and "#" not in line]
    rows.append([name, product])
show(Table(["the 3 is a", "line of the graph"], rows))
# region checks
assert len({line for _, line in rows[:5]}) == 1 and "* 3" in rows[0][1]
assert "* 3" not in rows[5][1] and "* 3" not in rows[6][1]
# endregion
