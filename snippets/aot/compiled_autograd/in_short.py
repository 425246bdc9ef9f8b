"""Compiled autograd, turned on before torch.compile."""

# region copy
import torch

torch._dynamo.config.compiled_autograd = True  # at the top of the program, before torch.compile


@torch.compile(backend="aot_eager")  # leave the backend out for Inductor
def step(x, w):
    torch.sin(x * w).sum().backward()


# endregion
x, w = torch.ones(4), torch.ones(4, requires_grad=True)
step(x, w)
print("gradient:", w.grad)
# region checks
torch.testing.assert_close(w.grad, torch.cos(x * w.detach()) * x)
# endregion
