# /// lesson
# varies.output = ['\d\.\d s']
# ///
"""Four requests in four threads, while a compile takes a second."""

import threading
from time import perf_counter, sleep

import torch

from compile_lessons import Table, keep_graphs, show

kept = keep_graphs()
model = torch.nn.Linear(4, 4)


def compile_slowly(*arguments):
    sleep(1)  # stands for Inductor
    return kept(*arguments)


@torch.compile(backend=compile_slowly, dynamic=False)
def score(x):
    return model(x).sin()


@torch.compile(backend=compile_slowly, dynamic=False)
def rank(x):
    return model(x).cos()


seconds = {}


# region requests
def request(name, function, size, delay):
    sleep(delay)
    x = torch.ones(size, 4)
    began = perf_counter()
    function(x)
    seconds[name] = perf_counter() - began


score(torch.ones(2, 4))  # the warm-up
requests = [
    ("score, a new size", score, 3, 0),
    ("score, the size of the warm-up", score, 2, 0.3),
    ("score, the same new size", score, 3, 0.3),
    ("rank, another function", rank, 2, 0.3),
]
threads = [threading.Thread(target=request, args=arguments) for arguments in requests]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
# endregion
rows = [[name, f"{seconds[name]:.1f} s"] for name, *_ in requests]
show(Table(["request", "took"], rows))
compiles = len(kept.graphs) - 1
print(compiles, "compiles after the warm-up")

# region checks
assert compiles == 3
assert seconds["score, the size of the warm-up"] < 0.9
# endregion
