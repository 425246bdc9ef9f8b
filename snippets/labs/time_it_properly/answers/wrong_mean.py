# A mean takes these calls into account

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
            synchronize()
            start = clock()
            function(batch)
            synchronize()
            times[name].append(clock() - start)
    return {name: statistics.mean(values) for name, values in times.items()}
