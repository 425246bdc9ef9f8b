"""A hook on an inner layer, added after the first call, doesn't run."""

import torch

from compile_lessons import Table, show


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def zero(module, inputs, output):
    return output * 0


rows, x = [], torch.ones(2, 4)
for where in ["inner layer", "compiled module"]:
    model = Model()
    compiled = torch.compile(model, backend="eager")
    compiled(x)
    hooked = model.layer if where == "inner layer" else model
    hooked.register_forward_hook(zero)
    late = not compiled(x).any()
    torch.compiler.reset()
    rows.append([where, not model(x).any(), late, not compiled(x).any()])
show(Table(["hook on the", "runs in eager mode", "runs in the compiled call", "after reset()"], rows))

# region checks
assert [row[1:] for row in rows] == [[True, False, True], [True, True, True]]
# endregion
