# /// lesson
# varies.output = ['\d\.\d s']
# ///
"""Four requests in four threads, while a compile takes a second."""

import threading
from time import perf_counter, sleep

import torch

from compile_lessons import Table, show


def slow(graph_module, example_inputs):
    compiles.append(graph_module)
    sleep(1)  # stands for Inductor
    return graph_module.forward


model, compiles, seconds = torch.nn.Linear(4, 4), [], {}
score = torch.compile(lambda x: model(x).sin(), backend=slow, dynamic=False)
rank = torch.compile(lambda x: model(x).cos(), backend=slow, dynamic=False)


def request(name, function, size, delay):
    sleep(delay)
    began, x = perf_counter(), torch.ones(size, 4)
    function(x)
    seconds[name] = perf_counter() - began


score(torch.ones(2, 4))  # the warm-up
compiles.clear()
requests = [("score, a new size", score, 3, 0), ("score, the size of the warm-up", score, 2, 0.3)]
requests += [("score, the same new size", score, 3, 0.3), ("rank, another function", rank, 2, 0.3)]
threads = [threading.Thread(target=request, args=arguments) for arguments in requests]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
show(Table(["request", "took"], [[name, f"{seconds[name]:.1f} s"] for name, *rest in requests]))
print(len(compiles), "compiles")
# region checks
assert len(compiles) == 3 and seconds["score, the size of the warm-up"] < 0.9
# endregion
