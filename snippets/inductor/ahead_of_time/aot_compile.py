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


x, file = torch.randn(8, 64), Path(tempfile.mkdtemp(), "gelu.bin")
compiled = torch.compile(gelu, fullgraph=True).aot_compile(((x,), {}))
compiled.save_compiled_function(str(file))

loaded = torch.compiler.load_compiled_function(io.BytesIO(file.read_bytes()))
torch.testing.assert_close(loaded(x), gelu(x))
refused = []
for name, value in {"batch 9": torch.randn(9, 64), "float64": x.double(), "transposed": x.t()}.items():
    try:
        loaded(value)
    except RuntimeError as error:
        refused.append(name)
        print(f"{name}:", next(line for line in str(error).splitlines() if "verbose_code_parts" in line))

dynamic = torch.compile(gelu, fullgraph=True, dynamic=True).aot_compile(((x,), {}))
print("dynamic:", list(dynamic(torch.randn(9, 64)).shape))
# region checks
assert len(refused) == 3
# endregion
