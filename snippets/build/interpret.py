# /// lesson
# varies.values = ["slowest_share", "total"]
# varies.output = ['aten\.\S+ .*', 'prims\.\S+ .*', '\d+%', '<[^>]*>']
# ///
"""Step 2: an interpreter shows which operators ran, on which shapes, how long."""

import torch
from _step2_interpret import Interpreter, backend_of

from compile_lessons import Table, show


def interpret(graph_module):
    interpreters.append(Interpreter(graph_module))
    return interpreters[-1]


interpreters = []
x = torch.randn(256, 512)
model = torch.nn.Sequential(
    torch.nn.Linear(512, 512), torch.nn.GELU(), torch.nn.LayerNorm(512)
)
model.requires_grad_(False)
compiled = torch.compile(model, backend=backend_of(interpret))
# the first call also loads libraries, so the profile begins after it
result = compiled(x)
[interpreter] = interpreters
interpreter.seconds.clear()
for _ in range(5):
    compiled(x)
calls = interpreter.profile()
total = sum(time for _, _, time in calls)
rows = [[name, str(shape), f"{time / total:.0%}"] for name, shape, time in calls]
show(Table(["operator", "shape", "share"], rows))

operators = len(calls)
slowest_share = 100 * calls[0][2] / total
# region checks
torch.testing.assert_close(result, model(x))
assert sum("aten.mul" in name for name, _, _ in calls) >= 5
# endregion
