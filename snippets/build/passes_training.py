"""What the passes find in the graphs of a training step with a mask and positions computed inside."""

import torch
from _step2_interpret import Interpreter, backend_of
from _step3_passes import fold_constants, merge_common, optimize, remove_dead_code, simplify

from compile_lessons import Table, show


def count(module):
    return sum(node.op == "call_function" for node in module.graph.nodes)


def compile_graph(module):
    counts = [count(module)]
    for one_pass in (fold_constants, simplify, merge_common, remove_dead_code):
        one_pass(module)
        counts.append(count(module))
    counts.append(count(optimize(module)))
    rows.append(["backward" if rows else "forward", *counts])
    return Interpreter(module)


def attention(x, weight):
    length, width = x.shape
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(width) / width)
    x = torch.nn.functional.rms_norm(x + angles.sin(), (width,))
    future = torch.ones(length, length).triu(1) == 1
    scores = ((x @ weight) @ x.T / width**0.5).masked_fill(future, -torch.inf)
    return ((scores.softmax(-1) @ x).square() / 2).mean()


rows, x, weight = [], torch.randn(8, 16), torch.randn(16, 16, requires_grad=True)
torch.compile(attention, backend=backend_of(compile_graph))(x, weight).backward()
gradient, weight.grad = weight.grad, None
names = ["traced", "fold_constants", "simplify", "merge_common", "remove_dead_code", "until nothing changes"]
show(Table(["graph", *names], rows))

saved = [row[1] - row[-1] for row in rows]
forward_saved, backward_saved = saved
# region checks
attention(x, weight).backward()
torch.testing.assert_close(gradient, weight.grad)
assert forward_saved > 5 and backward_saved >= 0
# endregion
