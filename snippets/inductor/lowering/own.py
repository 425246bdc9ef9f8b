# /// lesson
# needs = ["compiler"]
# ///
"""A lowering that you write: it returns a loop whose body is a Python function."""

import torch
from torch._inductor import ir  # private
from torch._inductor.lowering import register_lowering  # private
from torch._inductor.virtualized import ops  # private

from compile_lessons import capture


# region lowering
@torch.library.custom_op("course::halve", mutates_args=())
def halve(x: torch.Tensor) -> torch.Tensor:
    return x / 2


halve.register_fake(torch.empty_like)


@register_lowering(torch.ops.course.halve)
def lower_halve(x):
    load = x.make_loader()

    def inner_fn(index):
        return ops.mul(load(index), ops.constant(0.5, x.get_dtype()))

    loop = ir.Pointwise.create(
        device=x.get_device(),
        dtype=x.get_dtype(),
        inner_fn=inner_fn,
        ranges=list(x.get_size()),
    )
    print(loop.data.data.inner_fn_str())
    return loop


# endregion
pipeline = capture(lambda x: halve(x + 1) * 3, machine_code=False)(torch.ones(4, 8))
[node] = pipeline.graphs[0].inductor[0].ir
print(node.text[node.text.index("class") :].rstrip())
# region checks
[kernel] = pipeline.kernels
assert kernel.kind == "cpp"
# endregion
