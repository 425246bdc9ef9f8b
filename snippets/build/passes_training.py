"""What the passes find in a training step that computes its mask and positions."""

import torch
from _step2_interpret import Interpreter, backend_of
from _step3_passes import (
    fold_constants,
    merge_common,
    optimize,
    remove_dead_code,
    simplify,
)

from compile_lessons import Table, show


# region model
def attention(x, weight):
    length, width = x.shape
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(width) / width)
    x = torch.nn.functional.rms_norm(x + angles.sin(), (width,))
    future = torch.ones(length, length).triu(1) == 1
    scores = ((x @ weight) @ x.T / width**0.5).masked_fill(future, -torch.inf)
    return ((scores.softmax(-1) @ x).square() / 2).mean()


# endregion
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


rows = []
x = torch.randn(8, 16)
weight = torch.randn(16, 16, requires_grad=True)
compiled = torch.compile(attention, backend=backend_of(compile_graph))
compiled(x, weight).backward()
passes = ["fold_constants", "simplify", "merge_common", "remove_dead_code"]
show(Table(["graph", "traced", *passes, "until nothing changes"], rows))

forward_saved, backward_saved = (row[1] - row[-1] for row in rows)
# region checks
gradient = weight.grad.clone()
weight.grad = None
attention(x, weight).backward()
torch.testing.assert_close(gradient, weight.grad)
assert forward_saved > 5
assert backward_saved >= 0
# endregion
