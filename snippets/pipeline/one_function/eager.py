"""What the function does without a compiler."""

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


class Log(TorchDispatchMode):
    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        log.append(str(operator))
        return operator(*args, **(kwargs or {}))


log, saved = [], {}
x = torch.linspace(-4, 4, 512, requires_grad=True)

with Log():
    quick_gelu(x)
with saved_tensors_hooks(lambda t: saved.setdefault(t.data_ptr(), t), lambda t: t):
    y = quick_gelu(x)

for operator in log:
    print(operator)
kernels = [operator for operator in log if operator != "aten.detach.default"]
operators, tensors_saved = len(kernels), len(saved)
print(f"{operators} operators that compute, {tensors_saved} tensors kept for the backward pass")
assert kernels == ["aten.mul.Tensor", "aten.sigmoid.default", "aten.mul.Tensor"]
assert tensors_saved == 2
