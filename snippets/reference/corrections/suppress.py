# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""suppress_errors: a backend that fails is not called again, and graph breaks stay."""

import torch
from _count import compiles

from compile_lessons import Table, show


def fails(graph_module, example_inputs):
    asked.append(graph_module)
    raise RuntimeError("a bug in the backend")


def breaks(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


counts = [compiles(breaks, [(torch.ones(3),)])]
torch._dynamo.config.suppress_errors = True
counts.append(compiles(breaks, [(torch.ones(3),)]))
asked = []
rows = []
compiled = torch.compile(lambda x: x * 2, backend=fails)
for size in (3, 3, 4, 5):
    compiled(torch.ones(size))
    rows.append([f"call with size {size}", len(asked)])
torch.compiler.reset()
compiled(torch.ones(3))
rows.append(["call after torch.compiler.reset()", len(asked)])
show(Table(["suppress_errors = True", "times that the backend was asked"], rows))
print("graphs of a function with one break, setting off and on:", *counts)
# region checks
assert [row[1] for row in rows] == [1, 1, 1, 1, 2]
assert counts == [2, 2]
# endregion
