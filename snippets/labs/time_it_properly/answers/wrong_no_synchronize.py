# A call returns as soon as its work is queued

import statistics
import time

import torch


@torch.inference_mode()
def benchmark(functions, batches, clock=time.perf_counter, synchronize=lambda: None):
    """Return the seconds that one call takes, by the function's name. On a GPU, pass `torch.cuda.synchronize`."""
    for batch in batches:
        for function in functions.values():
            function(batch)
    times = {name: [] for name in functions}
    for batch in batches:
        for name, function in functions.items():
            start = clock()
            function(batch)
            times[name].append(clock() - start)
    return {name: statistics.median(values) for name, values in times.items()}
