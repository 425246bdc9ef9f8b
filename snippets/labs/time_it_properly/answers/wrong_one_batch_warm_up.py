# one for the last batch, which is smaller

import statistics
import time

import torch


@torch.inference_mode()
def benchmark(functions, batches, clock=time.perf_counter, synchronize=lambda: None):
    """Return the seconds that one call takes, by the function's name. On a GPU, pass `torch.cuda.synchronize`."""
    for function in functions.values():
        function(batches[0])
    times = {name: [] for name in functions}
    for batch in batches:
        for name, function in functions.items():
            synchronize()
            start = clock()
            function(batch)
            synchronize()
            times[name].append(clock() - start)
    return {name: statistics.mean(values) for name, values in times.items()}
