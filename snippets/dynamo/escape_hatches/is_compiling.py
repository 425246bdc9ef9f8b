"""Skip a print in compiled code with is_compiling."""

import torch


def checked(x):
    if not torch.compiler.is_compiling():
        print("checking", x)
    return torch.relu(x)


print("plain:")
checked(torch.ones(3))
print("compiled:")
torch.compile(checked, backend="eager", fullgraph=True)(torch.ones(3))
