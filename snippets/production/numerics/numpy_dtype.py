"""Tensors that meet NumPy's arrays and numbers: the dtype or the type differs."""

import numpy as np
import torch

positions = np.arange(8)
scale = np.float64(2.5)
x = torch.ones(4, 8)
counts = torch.arange(8)


def combine():
    return x * positions, counts * scale, np.sqrt(x)


tensor = torch.from_numpy(positions)  # outside the compiled function
number = float(scale)  # outside, too


def fixed():
    return x * tensor, counts * number, torch.sqrt(x)


def print_dtypes(name, results):
    print(name, *[result.dtype for result in results], sep=", ")


print_dtypes("eager mode", combine())
print_dtypes("compiled", torch.compile(combine, backend="eager")())
print_dtypes("fixed, eager mode", fixed())
print_dtypes("fixed, compiled", torch.compile(fixed, backend="eager")())

# region checks
assert isinstance(combine()[2], torch.Tensor)
assert isinstance(torch.compile(combine, backend="eager")()[2], np.ndarray)
expected = [result.dtype for result in fixed()]
assert [result.dtype for result in torch.compile(fixed, backend="eager")()] == expected
# endregion
