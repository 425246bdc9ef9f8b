# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A custom operator without a fake implementation crashes with the first backend; with one, it compiles."""

import torch


# region clip
@torch.library.custom_op("shop::clip", mutates_args=())
def clip(x: torch.Tensor) -> torch.Tensor:  # stands for a kernel of yours
    return x.clamp(-1, 1)


def clipped(x):
    return clip(x * 2)


# endregion
def climb():
    for backend in ("eager", "aot_eager"):  # then "inductor"
        torch.compiler.reset()
        try:
            torch.compile(clipped, backend=backend)(torch.ones(4))
        except RuntimeError as error:
            print(f"{backend} fails first\n  {str(error).split(' got ')[-1].splitlines()[0]}")
            return backend
    print("no backend fails")


before = climb()
# region fix
clip.register_fake(lambda x: torch.empty_like(x))  # a tensor of the result's shape and dtype
# endregion
after = climb()

# region checks
assert (before, after) == ("eager", None)
# endregion
