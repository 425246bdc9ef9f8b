# /// lesson
# env = {CXX = "no-such-compiler"}
# ///
"""Without a C++ compiler, one backend of three fails."""

import torch
from torch._dynamo.exc import TorchDynamoException

from compile_lessons import Table, show


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


x = torch.linspace(-4, 4, 512)
rows = []
for backend in ["eager", "aot_eager", "inductor"]:
    torch.compiler.reset()
    try:
        torch.compile(quick_gelu, backend=backend)(x)
        rows.append([backend, "works"])
    except (TorchDynamoException, RuntimeError) as error:
        rows.append([backend, str(error).split(":")[0]])

show(Table(["backend", "outcome"], rows))

# region checks
assert [outcome for _, outcome in rows] == ["works", "works", "InvalidCxxCompiler"]
# endregion
