# was still queued when the clock was read first

import time

import torch


@torch.inference_mode()
def benchmark(functions, batches, clock=time.perf_counter, synchronize=lambda: None):
    """Return the seconds that one call takes, by the function's name. On a GPU, pass `torch.cuda.synchronize`."""
    for batch in batches:
        for function in functions.values():
            function(batch)
    times = {}
    for name, function in functions.items():
        start = clock()
        for batch in batches:
            function(batch)
        synchronize()
        times[name] = (clock() - start) / len(batches)
    return times
