# /// lesson
# needs = ["compiler"]
# ///
"""The backends of the list, tried on a machine without a GPU."""

import logging
import textwrap

import torch
from torch._dynamo.exc import BackendCompilerFailed

from compile_lessons import Table, show

logging.disable(logging.WARNING)  # cudagraphs warns that it skips what is not on a GPU


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x, rows = torch.linspace(-4, 4, 512), []
for backend in torch.compiler.list_backends():
    torch.compiler.reset()
    try:
        torch.testing.assert_close(torch.compile(quick_gelu, backend=backend)(x), quick_gelu(x))
        rows.append([backend, "works"])
    except BackendCompilerFailed as error:
        rows.append([backend, textwrap.shorten(str(error).splitlines()[1], 60, placeholder=" …")])

show(Table(["backend", "outcome"], rows))

# region checks
outcome = dict(rows)
assert outcome["cudagraphs"] == outcome["inductor"] == "works"
assert "ImportError" in outcome["openxla"] and "ImportError" in outcome["tvm"]
# endregion
