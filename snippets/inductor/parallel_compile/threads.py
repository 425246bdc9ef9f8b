# /// lesson
# needs = ["compiler"]
# timeout = 300
# varies.values = ["begin", "seconds"]
# varies.output = ['\d+\.\d\d']
# ///
"""Compile a graph with two C++ kernels, with one thread and with two."""

from threading import Barrier
from time import perf_counter

import torch

# private: notes when a compiler starts and ends
from torch._inductor.cpp_builder import CppBuilder
from torch._inductor.utils import fresh_cache  # private

from compile_lessons import Table, show


# region functions
def two_kernels(x, weight):
    for function in (torch.sin, torch.exp):
        x = function(x @ weight)
    return x


def one_kernel(x, weight):
    for function in (torch.sin, torch.exp):
        x = function(x * weight)
    return x


# endregion
events = []
build = CppBuilder.build


def note_build(builder):
    events.append(1)
    start_together.wait()  # so that the count doesn't depend on speed
    build(builder)
    events.append(-1)


CppBuilder.build = note_build


def most_at_once():
    running = [sum(events[: number + 1]) for number in range(len(events))]
    return max(running)


# region measure
x = torch.ones(32, 32)
rows = []
start_together = Barrier(1)
torch.compile(torch.neg)(x)  # finds out what the compiler can do, once
for function, threads in ((two_kernels, 1), (two_kernels, 2), (one_kernel, 2)):
    start_together = Barrier(2 if function is two_kernels and threads == 2 else 1)
    torch.compiler.reset()
    events.clear()
    setting = torch._inductor.config.patch(compile_threads=threads)
    with setting, fresh_cache(), torch.no_grad():
        begin = perf_counter()
        torch.compile(function)(x, x)
        seconds = perf_counter() - begin
    compiled = events.count(1)
    name = function.__name__
    rows.append([name, threads, compiled, most_at_once(), f"{seconds:.2f}"])
# endregion
columns = ["compile_threads", "compiler runs", "most at once", "seconds"]
show(Table(["function", *columns], rows))
# region checks
assert [row[2] for row in rows] == [2, 2, 1]
assert [row[3] for row in rows] == [1, 2, 1]
# endregion
