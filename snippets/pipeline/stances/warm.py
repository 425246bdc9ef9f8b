"""Compile while the service warms up, then stop: which calls are a new case."""

from torch import compiler, enable_grad, inference_mode, nn, no_grad, ones

from compile_lessons import Table, keep_graphs, show


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


model = Model()
batches = [ones(4), ones(8)]
kept = keep_graphs()
compiler.set_default_backend(kept)
# region copy
import torch

model.eval()
model.compile()
with torch.no_grad():  # warm up the way the service calls the model
    for batch in batches:  # one batch of each shape that requests have
        model(batch)
torch.compiler.set_stance("eager_on_recompile")  # in a test: "fail_on_recompile"
# endregion


def outcome(stance, size, grad_mode):
    """Call the model under a stance, and return what ran or the error's name."""
    compiler.set_stance(stance)
    runs_before = len(kept.runs)  # one run for each call of a graph
    try:
        with grad_mode():
            model(ones(size))
    except RuntimeError as error:
        return type(error).__name__
    return "compiled code" if len(kept.runs) > runs_before else "eager mode"


rows = []
calls = [(5, no_grad), (1, no_grad), (4, enable_grad), (4, inference_mode)]
for size, grad_mode in calls:
    eager = outcome("eager_on_recompile", size, grad_mode)
    fail = outcome("fail_on_recompile", size, grad_mode)
    rows.append([f"size {size}, {grad_mode.__name__}", eager, fail])
show(Table(["call", "eager_on_recompile", "fail_on_recompile"], rows))

# region checks
assert rows[0][1:] == ["compiled code", "compiled code"]
assert [row[1:] for row in rows[1:]] == [["eager mode", "RuntimeError"]] * 3
# endregion
