# /// lesson
# needs = ["compiler"]
# ///
"""Save a function with aot_compile, edit the function, and load the old file."""

import tempfile
from pathlib import Path

import torch

x = torch.ones(4)
file = Path(tempfile.mkdtemp(), "price.bin")


def price(x):
    return torch.relu(x) * 2


example_call = ((x,), {})  # the arguments, and those passed by name
compiled = torch.compile(price, fullgraph=True).aot_compile(example_call)
compiled.save_compiled_function(str(file))


def price(x):
    return torch.relu(x) * 3


with file.open("rb") as saved:
    loaded = torch.compiler.load_compiled_function(saved)
print("the code now:", price(x).tolist())
print("torch.compile:", torch.compile(price)(x).tolist())
print("loaded:", loaded(x).tolist())

# region checks
assert torch.equal(loaded(x), 2 * x)
# endregion
