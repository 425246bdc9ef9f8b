# Your code called it 7 times

import statistics
import time

import torch


def compiled_with(fn, backend):
    return torch.compile(fn, backend=backend, fullgraph=True)


def first_and_later(compiled, x, calls=5):
    compiled(x)
    times = []
    for _ in range(calls + 1):
        began = time.perf_counter()
        compiled(x)
        times.append(time.perf_counter() - began)
    return times[0], statistics.median(times[1:])


def first_wrong(fn, x, backends=("eager", "aot_eager", "inductor")):
    expected = fn(x)
    for backend in backends:
        try:
            if not torch.allclose(compiled_with(fn, backend)(x), expected, rtol=1e-4, atol=1e-5):
                return backend
        except Exception:
            return backend
    return None
