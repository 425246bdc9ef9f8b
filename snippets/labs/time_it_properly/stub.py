# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Time it properly: this benchmark of eager and compiled code has five faults.

Change `benchmark` so that it returns the typical time of one call in
inference, in seconds, for each function. The checks call it on a simulated
machine, with its own clock: read the time with `clock` and wait for the device
with `synchronize`. The compiled function is real.
"""

import time

from compile_lessons.labs import check


def benchmark(functions, batches, clock=time.perf_counter, synchronize=lambda: None):
    """Return the seconds that one call takes, by function name.

    On a GPU, pass `torch.cuda.synchronize`.
    """
    times = {}
    for name, function in functions.items():
        start = clock()
        for batch in batches:
            function(batch)
        times[name] = (clock() - start) / len(batches)
    return times


if __name__ == "__main__":
    check("time_it_properly", __file__)
