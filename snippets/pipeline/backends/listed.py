# /// lesson
# needs = ["compiler"]
# ///
"""The backends of the list, tried on a machine without a GPU."""

import logging
import textwrap

import torch
from torch._dynamo.exc import BackendCompilerFailed

from compile_lessons import Table, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


# cudagraphs warns that it skips what is not on a GPU
logging.disable(logging.WARNING)
x = torch.linspace(-4, 4, 512)
rows = []
for backend in torch.compiler.list_backends():
    torch.compiler.reset()
    outcome = "works"
    try:
        y = torch.compile(quick_gelu, backend=backend)(x)
        torch.testing.assert_close(y, quick_gelu(x))
    except BackendCompilerFailed as error:
        outcome = textwrap.shorten(str(error).splitlines()[1], 60, placeholder=" …")
    rows.append([backend, outcome])
show(Table(["backend", "outcome"], rows))

# region checks
outcomes = dict(rows)
assert outcomes["cudagraphs"] == "works"
assert outcomes["inductor"] == "works"
assert "ImportError" in outcomes["openxla"]
assert "ImportError" in outcomes["tvm"]
# endregion
