# /// lesson
# needs = ["compiler"]
# ///
"""Compile with torch.compile's aot_compile, save, load and call: guards are checked."""

import io
import tempfile
from pathlib import Path

import torch


def gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.randn(8, 64)
file = Path(tempfile.mkdtemp(), "gelu.bin")
compiled = torch.compile(gelu, fullgraph=True).aot_compile(((x,), {}))
compiled.save_compiled_function(str(file))

loaded = torch.compiler.load_compiled_function(io.BytesIO(file.read_bytes()))
others = {"batch 9": torch.randn(9, 64), "float64": x.double(), "transposed": x.t()}
refused = []
for name, other in others.items():
    try:
        loaded(other)
    except RuntimeError as error:
        refused.append(name)
        lines = str(error).splitlines()
        print(f"{name}:", next(line for line in lines if "verbose_code_parts" in line))

dynamic = torch.compile(gelu, fullgraph=True, dynamic=True).aot_compile(((x,), {}))
print("dynamic:", list(dynamic(torch.randn(9, 64)).shape))
# region checks
torch.testing.assert_close(loaded(x), gelu(x))
assert len(refused) == 3
# endregion
