# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Two crashes on the ladder of backends, and the same calls after the fix."""

import torch
from torch.nn import Linear, Sequential, Tanh

critic, x = Sequential(Linear(8, 8), Tanh(), Linear(8, 1)), torch.ones(4, 8, requires_grad=True)


# region clip
@torch.library.custom_op("shop::clip", mutates_args=())
def clip(x: torch.Tensor) -> torch.Tensor:  # stands for a kernel of yours
    return x.clamp(-1, 1)


def clipped(backend):
    torch.compile(lambda x: clip(x * 2), backend=backend)(x.detach())


# endregion
# region penalty
def penalty(backend):  # differentiates the compiled critic twice
    torch.autograd.grad(torch.compile(critic, backend=backend)(x).sum(), x, create_graph=True)[0].norm().backward()


def penalty_inside(backend):  # takes the first derivative inside the compiled function
    torch.compile(lambda x: torch.func.grad(lambda x: critic(x).sum())(x).norm(), backend=backend)(x).backward()


# endregion
def climb(call):
    for backend in ("eager", "aot_eager"):  # then "inductor"
        try:
            call(backend)
        except RuntimeError as error:
            print(f"{call.__name__}: {backend} fails first\n  {str(error).split(' got ')[-1].splitlines()[0]}")
            return backend
    print(f"{call.__name__}: no backend fails")


found = [climb(clipped), climb(penalty)]
# region fix
clip.register_fake(lambda x: torch.empty_like(x))  # a tensor of the result's shape and dtype
# endregion
found += [climb(clipped), climb(penalty_inside)]
# region checks
assert found == ["eager", "aot_eager", None, None]
# endregion
