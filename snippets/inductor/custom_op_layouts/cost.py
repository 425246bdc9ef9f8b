# /// lesson
# needs = ["compiler"]
# ///
"""An operator between two convolutions: the copies that its layout costs."""

import torch
from torch import nn

from compile_lessons import Table, capture, show


def gate(x):
    return x * torch.sigmoid(x)


# region models
def make_model(tags=()):
    name = f"lesson::gate{len(tags)}"
    schema = "(Tensor x) -> Tensor"
    operator = torch.library.custom_op(
        name, gate, mutates_args=(), schema=schema, tags=tags
    )
    operator.register_fake(torch.empty_like)

    def model(image):
        return second(operator(first(image)))

    return model


first = nn.Conv2d(16, 32, 3)
second = nn.Conv2d(32, 32, 3)
exact = make_model()
flexible = make_model(tags=[torch.Tag.flexible_layout])


# endregion
def kernels_of(model, image):
    with torch.no_grad():
        return capture(model, machine_code=False)(image).graphs[0].kernels


image = torch.randn(4, 16, 32, 32)
cases = {
    "no tag": kernels_of(exact, image),
    "flexible_layout": kernels_of(flexible, image),
}
for convolution in (first, second):
    convolution.to(memory_format=torch.channels_last)
image = image.to(memory_format=torch.channels_last)
cases["no tag, all in channels_last"] = kernels_of(exact, image)
rows = []
for case, kernels in cases.items():
    moved = sum(kernel.bytes for kernel in kernels) / 1e6
    loops = sum(kernel.name.startswith("cpp_") for kernel in kernels)
    rows.append([case, loops, f"{moved:.1f} MB"])
show(Table(["operator", "kernels that copy", "moved"], rows))
# region checks
assert [row[1] for row in rows] == [4, 3, 0]
# endregion
