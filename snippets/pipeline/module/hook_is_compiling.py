"""A hook that asks is_compiling() does something else in compiled code."""

import torch


def scale_by_two(module, inputs, output):
    if torch.compiler.is_compiling():
        return output
    return output * 2


model = torch.nn.Sequential(torch.nn.Linear(4, 4))
model[0].register_forward_hook(scale_by_two)
compiled = torch.compile(model, backend="eager")
x = torch.ones(2, 4)
ratio = (model(x) / compiled(x)).mean().item()
print(f"eager mode's output is {ratio:.0f} times the compiled one")

# region checks
torch.testing.assert_close(model(x), compiled(x) * 2)
# endregion
