"""float16 with a GradScaler, and a head in float32: the compiled gradient overflows."""

import torch
import torch._functorch.config

from compile_lessons import Table, show


# region scaled
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 1)

    def forward(self, x):
        hidden = self.body(x)
        with torch.autocast("cpu", enabled=False):  # the head stays in float32
            return self.head(hidden.float())


torch.manual_seed(0)
model = Model()


def largest_gradient(forward):
    """Return the head's largest gradient, times the scale, as the scaler sees it."""
    model.zero_grad()
    scaler = torch.amp.GradScaler("cpu")  # begins with a scale of 65536
    with torch.autocast("cpu", dtype=torch.float16):
        y = forward(torch.ones(2, 4))
    scaler.scale(y.sum()).backward()
    return model.head.weight.grad.abs().max().item()


# endregion
largest = largest_gradient(model)
rows = [["eager mode", largest]]
for setting in ("same_as_forward", "off"):  # the default, and the fix
    torch.compiler.reset()
    torch._functorch.config.backward_pass_autocast = setting
    compiled = torch.compile(model, backend="aot_eager")
    rows.append([f"compiled, {setting}", largest_gradient(compiled)])
show(Table(["model, backward_pass_autocast", "largest gradient"], rows))

# region checks
assert rows[1][1] == float("inf")
assert rows[2][1] == largest
assert largest > torch.finfo(torch.float16).max
# endregion
