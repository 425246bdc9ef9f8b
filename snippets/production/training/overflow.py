"""float16 with a GradScaler, and a head that is kept in float32: the gradient of the compiled model overflows."""

import torch
import torch._functorch.config

from compile_lessons import Table, show


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 1)

    def forward(self, x):
        hidden = self.body(x)
        with torch.autocast("cpu", enabled=False):  # the head stays in float32
            return self.head(hidden.float())


def scaled_gradient(model, call):
    """Return the largest gradient of the head, multiplied by the scale, as the scaler sees it."""
    scaler = torch.amp.GradScaler("cpu")  # begins with a scale of 65536
    with torch.autocast("cpu", dtype=torch.float16):
        y = call(torch.ones(2, 4))
    scaler.scale(y.sum()).backward()
    return model.head.weight.grad.abs().max().item()


torch.manual_seed(0)
model = Model()
largest = scaled_gradient(model, model)
rows = [["eager mode", largest]]
for setting in ("same_as_forward", "off"):
    torch.compiler.reset()
    model.zero_grad()
    torch._functorch.config.backward_pass_autocast = setting
    compiled = torch.compile(model, backend="aot_eager")
    rows.append([f"compiled, backward_pass_autocast is {setting}", scaled_gradient(model, compiled)])
show(Table(["model", "largest gradient"], rows))
# region checks
assert rows[1][1] == float("inf") and largest == rows[2][1] > torch.finfo(torch.float16).max
# endregion
