"""The five functions with the same arguments in any framework, each result beside
PyTorch's in eager mode.

PyTorch runs in a process of its own: in one process with torch, TensorFlow's first XLA
compile crashes.
"""

import pickle
import subprocess
import sys

import numpy

from compile_lessons import Table, show

random = numpy.random.default_rng(0)
x, y = random.random((4, 8), "float32"), random.random((4, 2), "float32")
weights = [random.random(shape, "float32") for shape in ((8, 16), (16,), (16, 2), (2,))]
w = random.random((8, 2), "float32")
SIZES = [random.random((size, 8), "float32") for size in (4, 5, 6, 7)]

#: The arguments of each call, by what the tables call it.
CALLS = {
    "softmax": [(x,)],
    "mlp": [(x, *weights)],
    "branch": [(x,), (-x,)],
    "center": [(rows,) for rows in SIZES],
    "step": [(w, x, y)],
}


def eager(name):
    """Return the results of the calls of one function in eager mode, each a list of
    NumPy arrays.
    """
    import five
    import torch

    results = [
        getattr(five, name)(*map(torch.from_numpy, arguments))
        for arguments in CALLS[name]
    ]
    return [
        [part.numpy() for part in (result if isinstance(result, tuple) else [result])]
        for result in results
    ]


def outcome(function, calls, results, to_framework):
    """Return "as eager", "WRONG" or the type of the exception of ``calls``, whose
    results in eager mode are given.
    """
    for arguments, want in zip(calls, results, strict=True):
        try:
            got = function(*map(to_framework, arguments))
            got = [
                numpy.asarray(part)
                for part in (got if isinstance(got, (tuple, list)) else [got])
            ]
        except Exception as error:
            return type(error).__name__
        if not all(
            numpy.allclose(a, b, rtol=1e-4, atol=1e-5)
            for a, b in zip(got, want, strict=True)
        ):
            return "WRONG"
    return "as eager"


def report(functions, to_framework):
    """Show the outcome of each function, given as ``{"branch, rewritten": function}``;
    return them by that name.
    """
    in_eager_mode = subprocess.run(
        [sys.executable, __file__], check=True, stdout=subprocess.PIPE
    ).stdout
    results, outcomes = pickle.loads(in_eager_mode), {}
    for label, function in functions.items():
        name = label.split(",")[0]
        outcomes[label] = outcome(function, CALLS[name], results[name], to_framework)
    show(Table(["function", "result"], list(outcomes.items())))
    return outcomes


if __name__ == "__main__":
    pickle.dump({name: eager(name) for name in CALLS}, sys.stdout.buffer)
