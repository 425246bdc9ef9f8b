# /// lesson
# needs = ["compiler"]
# ///
"""Save a function with aot_compile, edit the function, and load the old file."""

import io
import tempfile
from pathlib import Path

import torch

x, file = torch.ones(4), Path(tempfile.mkdtemp(), "price.bin")


def price(x):
    return torch.relu(x) * 2


torch.compile(price, fullgraph=True).aot_compile(((x,), {})).save_compiled_function(str(file))


def price(x):
    return torch.relu(x) * 3


loaded = torch.compiler.load_compiled_function(io.BytesIO(file.read_bytes()))
print("the code now:", price(x).tolist())
print("torch.compile:", torch.compile(price)(x).tolist())
print("loaded:", loaded(x).tolist())
# region checks
assert torch.equal(loaded(x), 2 * x)
# endregion
