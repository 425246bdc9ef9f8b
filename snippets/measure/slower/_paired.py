"""Compare functions in one run: they take turns; the medians of their times count."""

from statistics import median
from time import perf_counter

import torch

# one thread, so that other programs on this machine disturb less
torch.set_num_threads(1)


@torch.inference_mode()
def paired(functions, *arguments, calls=20, rounds=15):
    """Return the microseconds of one call of each function, by name.

    They are medians over rounds in which the functions take turns.
    """
    for function in functions.values():
        for _ in range(3):
            function(*arguments)  # compiles, and warms up
    samples = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            began = perf_counter()
            for _ in range(calls):
                function(*arguments)
            samples[name].append((perf_counter() - began) / calls * 1e6)
    return {name: median(times) for name, times in samples.items()}
