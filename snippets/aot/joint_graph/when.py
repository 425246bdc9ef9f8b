"""Which graphs each call compiles."""

from functools import partial

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name

from compile_lessons import Table, show


def layer(x, w):
    return torch.tanh(x * w)


kinds = []


def note(kind, graph, inputs):
    kinds.append(kind)
    return make_boxed_func(graph.forward)


backend = aot_autograd(
    fw_compiler=partial(note, "forward"),
    bw_compiler=partial(note, "backward"),
    inference_compiler=partial(note, "inference"),
)
rows = []


def add_row(call):
    rows.append([call, " ".join(kinds)])
    kinds.clear()


compiled = torch.compile(layer, backend=backend)
w = torch.ones(3, requires_grad=True)
# region calls
for size in (4, 5):
    y = compiled(torch.ones(size, 3), w)
    add_row(f"forward, {size} rows")
    y.sum().backward()
    add_row(f"backward, {size} rows")
with torch.no_grad():
    compiled(torch.ones(5, 3), w)
add_row("forward under no_grad")
# endregion
show(Table(["call", "compiles"], rows))
# region checks
assert [row[1] for row in rows[:3]] == ["forward", "backward", "forward backward"]
assert [row[1] for row in rows[3:]] == ["", "inference"]
# endregion
