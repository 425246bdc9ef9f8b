# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""A custom operator without a fake implementation crashes; with one, it compiles."""

import torch


# region clip
@torch.library.custom_op("shop::clip", mutates_args=())
def clip(x: torch.Tensor) -> torch.Tensor:  # stands for a kernel of yours
    return x.clamp(-1, 1)


def clipped(x):
    return clip(x * 2)


# endregion
def first_failing_backend():
    for backend in ("eager", "aot_eager"):  # then "inductor"
        torch.compiler.reset()
        try:
            torch.compile(clipped, backend=backend)(torch.ones(4))
        except RuntimeError as error:
            message = str(error).split(" got ")[-1].splitlines()[0]
            print(f"{backend} fails first\n  {message}")
            return backend
    print("no backend fails")
    return None


before = first_failing_backend()


# region fix
@clip.register_fake
def _(x):
    return torch.empty_like(x)  # a tensor of the result's shape and dtype


# endregion
after = first_failing_backend()

# region checks
assert before == "eager"
assert after is None
# endregion
