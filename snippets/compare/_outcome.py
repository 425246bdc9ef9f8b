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
x = random.random((4, 8), "float32")
y = random.random((4, 2), "float32")
weights = [random.random(shape, "float32") for shape in ((8, 16), (16,), (16, 2), (2,))]
w = random.random((8, 2), "float32")
four_sizes = [random.random((rows, 8), "float32") for rows in (4, 5, 6, 7)]

#: The arguments of each call of a function.
CALLS = {
    "softmax": [(x,)],
    "mlp": [(x, *weights)],
    "branch": [(x,), (-x,)],
    "center": [(array,) for array in four_sizes],
    "step": [(w, x, y)],
}


def report(functions, to_framework):
    """Show the outcome of each function, given as ``{"branch, rewritten": function}``;
    return them by that name.
    """
    expected = in_eager_mode()
    outcomes = {}
    for label, function in functions.items():
        name = label.split(",")[0]
        outcomes[label] = outcome(function, CALLS[name], expected[name], to_framework)
    show(Table(["function", "result"], list(outcomes.items())))
    return outcomes


def outcome(function, calls, expected, to_framework):
    """Return "as eager", "WRONG" or the type of the exception that a call raised."""
    for arguments, expected_arrays in zip(calls, expected, strict=True):
        try:
            result = function(*map(to_framework, arguments))
            arrays = as_arrays(result)
        except Exception as error:
            return type(error).__name__
        pairs = zip(arrays, expected_arrays, strict=True)
        if not all(numpy.allclose(*pair, rtol=1e-4, atol=1e-5) for pair in pairs):
            return "WRONG"
    return "as eager"


def as_arrays(result):
    """Return the NumPy arrays of a result: one array of a framework, or several."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    return [numpy.asarray(part) for part in parts]


def in_eager_mode():
    """Return what each function returns in eager mode, for each of its calls."""
    command = [sys.executable, __file__]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return pickle.loads(run.stdout)


def call_eagerly(name):
    """Call one function with each of its arguments, in this process."""
    import five
    import torch

    function = getattr(five, name)
    results = [function(*map(torch.from_numpy, call)) for call in CALLS[name]]
    return [as_arrays(result) for result in results]


if __name__ == "__main__":
    pickle.dump({name: call_eagerly(name) for name in CALLS}, sys.stdout.buffer)
