"""Three ways around the bug, each checked against eager mode."""

import torch
import torch._functorch.config

from compile_lessons import Table, show


def windows(x):
    return (x * 2).unfold(0, 3, 1)


def copied_windows(x):
    return windows(x).clone()


# region disabled
@torch.compiler.disable
def windows_in_eager_mode(x):
    return windows(x)


def call_in_eager_mode(x):
    return windows_in_eager_mode(x)


# endregion
functions = {
    "as it is": torch.compile(windows, backend="aot_eager"),
    "return a copy": torch.compile(copied_windows, backend="aot_eager"),
    "torch.compiler.disable": torch.compile(call_in_eager_mode, backend="aot_eager"),
}


def gradient(function):
    x = torch.linspace(0, 1, 12, requires_grad=True)
    return torch.autograd.grad(function(x), x, torch.arange(30.0).view(10, 3))[0]


eager = gradient(windows)
rows = []
for name, function in functions.items():
    rows.append([name, torch.allclose(gradient(function), eager)])
torch.compiler.reset()
torch._functorch.config.guess_tangent_strides_as_outputs = False
compiled = torch.compile(windows, backend="aot_eager")
matches = torch.allclose(gradient(compiled), eager)
rows.append(["guess_tangent_strides_as_outputs = False", matches])
show(Table(["change", "gradient matches"], rows))

# region checks
assert [row[1] for row in rows] == [False, True, True, True]
# endregion
