"""The best call of each function, and gradients off for each call."""

import time

import torch


def benchmark(functions, batches, clock=time.perf_counter, synchronize=lambda: None):
    """Return the seconds that one call takes, by the function's name. On a GPU, pass `torch.cuda.synchronize`."""
    for function in functions.values():
        with torch.no_grad():
            function(batches[0])
            function(batches[-1])
    times = {name: [] for name in functions}
    for batch in batches:
        for name, function in functions.items():
            synchronize()
            start = clock()
            with torch.no_grad():
                function(batch)
            synchronize()
            times[name].append(clock() - start)
    return {name: min(values) for name, values in times.items()}
