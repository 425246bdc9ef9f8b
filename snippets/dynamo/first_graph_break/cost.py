# /// lesson
# needs = ["compiler"]
# timeout = 300
# varies.output = ['\d[\d,.]* µs']
# varies.values = ["ratio", "seconds", "microseconds"]
# ///
"""Graphs, kernels and time, with a break and without."""

import timeit

import torch

from compile_lessons import Table, capture, show


# region functions
def whole(x):
    y = torch.relu(x) + 1
    return y * y


def broken(x):
    y = torch.relu(x) + 1
    torch._dynamo.graph_break()
    return y * y


# endregion


def time_one_call(function, x):
    compiled = torch.compile(function, dynamic=False)
    compiled(x)
    return min(timeit.repeat(lambda: compiled(x), number=5, repeat=30)) / 5


torch.set_num_threads(1)  # one thread gives steadier times
rows = []
times = []
for x in (torch.linspace(-4, 4, 512), torch.linspace(-4, 4, 1 << 20)):
    for function in (whole, broken):
        pipeline = capture(function)(x)
        counts = [len(pipeline.graphs), len(pipeline.kernels)]
        seconds = time_one_call(function, x)
        times.append(seconds)
        microseconds = f"{seconds * 1e6:,.0f} µs"
        rows.append([f"{len(x):,}", function.__name__, *counts, microseconds])
show(Table(["elements", "function", "graphs", "kernels", "one call"], rows))

# region checks
ratio = times[3] / times[2]
assert [row[2:4] for row in rows] == [[1, 1], [2, 2], [1, 1], [2, 2]]
# endregion
