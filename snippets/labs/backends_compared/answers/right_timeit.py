"""A decorator, timeit, and assert_close."""

import statistics
import timeit

import torch


def compiled_with(fn, backend):
    @torch.compile(backend=backend, fullgraph=True)
    def compiled(*args):
        return fn(*args)

    return compiled


def first_and_later(compiled, x, calls=5):
    first = timeit.timeit(lambda: compiled(x), number=1)
    return [first, statistics.median(timeit.repeat(lambda: compiled(x), number=1, repeat=calls))]


def first_wrong(fn, x, backends=("eager", "aot_eager", "inductor")):
    for backend in backends:
        try:
            torch.testing.assert_close(compiled_with(fn, backend)(x), fn(x))
        except Exception:
            return backend
