# /// lesson
# needs = ["compiler"]
# ///
"""A weight stored as int8, with a scale for each row: a graph of plain tensors."""

# region class
import torch
from torch.utils._python_dispatch import return_and_correct_aliasing
from torch.utils._pytree import tree_map_only


class Int8Weight(torch.Tensor):
    def __new__(cls, int8, scale):
        return torch.Tensor._make_wrapper_subclass(
            cls, int8.shape, dtype=scale.dtype, device=int8.device
        )

    def __init__(self, int8, scale):
        self.int8 = int8
        self.scale = scale

    def __tensor_flatten__(self):
        return ["int8", "scale"], None  # names of the inner tensors, and metadata

    @classmethod
    def __tensor_unflatten__(cls, inner, metadata, outer_size, outer_stride):
        return cls(inner["int8"], inner["scale"])

    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        if operator is torch.ops.aten.detach.default:  # nn.Parameter calls it
            result = cls(args[0].int8, args[0].scale)
            return return_and_correct_aliasing(operator, args, kwargs or {}, result)
        plain_args = tree_map_only(cls, lambda w: w.int8 * w.scale, args)
        return operator(*plain_args, **kwargs or {})

    def __repr__(self):
        return f"Int8Weight({tuple(self.shape)})"


# endregion
# region layer
from compile_lessons import capture, show

layer = torch.nn.Linear(64, 128, bias=False).requires_grad_(False)
scale = layer.weight.abs().amax(1, keepdim=True) / 127
int8 = (layer.weight / scale).round().to(torch.int8)
layer.weight = torch.nn.Parameter(Int8Weight(int8, scale), requires_grad=False)
pipeline = capture(lambda x: layer(x).relu(), compare=True)(torch.randn(8, 64))
show(pipeline.graphs[0].forward)
show(pipeline.kernels)
# endregion
# region checks
nodes = pipeline.graphs[0].forward.nodes
inputs = [node.tensors[0].dtype for node in nodes if node.op == "placeholder"]
assert inputs == ["int8", "float32", "float32"]
assert pipeline.comparison.status == "equal"
assert [kernel.kind for kernel in pipeline.kernels] == ["cpp", "extern", "cpp"]
# endregion
