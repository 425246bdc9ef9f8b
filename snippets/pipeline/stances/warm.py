"""Compile while the service warms up, then stop compiling: which calls are a new case."""

from torch import compiler, enable_grad, inference_mode, nn, no_grad, ones

from compile_lessons import Table, show


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


def counting(graph_module, example_inputs):
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


model, batches, runs, rows = Model(), [ones(4), ones(8)], [], []
compiler.set_default_backend(counting)  # counts the calls of compiled code
# region copy
import torch

model.eval()
model.compile()
with torch.no_grad():  # warm up the way the service calls the model
    for batch in batches:  # one batch of each shape that requests have
        model(batch)
torch.compiler.set_stance("eager_on_recompile")  # in a test: "fail_on_recompile"
# endregion
for size, mode in [(5, no_grad), (1, no_grad), (4, enable_grad), (4, inference_mode)]:
    rows.append([f"size {size}, {mode.__name__}"])
    for stance in ["eager_on_recompile", "fail_on_recompile"]:
        runs.clear()
        compiler.set_stance(stance)
        try:
            with mode():
                model(ones(size))
            rows[-1].append("compiled code" if runs else "eager mode")
        except RuntimeError as error:
            rows[-1].append(type(error).__name__)
show(Table(["call", "eager_on_recompile", "fail_on_recompile"], rows))

# region checks
assert [row[1:] for row in rows] == [["compiled code"] * 2] + [["eager mode", "RuntimeError"]] * 3
# endregion
