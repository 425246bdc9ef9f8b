"""Which graphs each call compiles."""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import Table, show


def layer(x, w):
    return torch.tanh(x * w)


def compiler(kind):
    def compile_graph(graph_module, example_inputs):
        compiled.append(kind)
        return make_boxed_func(graph_module.forward)

    return compile_graph


directions = {f"{name}_compiler": compiler(kind) for name, kind in [("fw", "forward"), ("bw", "backward")]}
backend = aot_autograd(**directions, inference_compiler=compiler("inference"))
fast, w, rows = torch.compile(layer, backend=backend), torch.ones(3, requires_grad=True), []
for size in (4, 5):
    compiled = []
    y = fast(torch.ones(size, 3), w)
    rows.append([f"forward, {size} rows", " ".join(compiled)])
    compiled = []
    y.sum().backward()
    rows.append([f"backward, {size} rows", " ".join(compiled)])
compiled = []
with torch.no_grad():
    fast(torch.ones(5, 3), w)
rows.append(["forward under no_grad", " ".join(compiled)])
show(Table(["call", "compiles"], rows))
# region checks
assert [row[1] for row in rows] == ["forward", "backward", "forward backward", "", "inference"]
# endregion
