# /// lesson
# needs = ["compiler"]
# ///
"""A weight stored as int8 with a scale for each row: the compiled graph has plain tensors only."""

import torch

from compile_lessons import capture, show


# region class
class Int8Weight(torch.Tensor):
    def __new__(cls, data, scale):
        weight = torch.Tensor._make_wrapper_subclass(cls, data.shape, dtype=scale.dtype, device=data.device)
        weight.int8, weight.scale = data, scale
        return weight

    def __tensor_flatten__(self):
        return ["int8", "scale"], None  # names of the inner tensors, and metadata

    @classmethod
    def __tensor_unflatten__(cls, inner, metadata, outer_size, outer_stride):
        return cls(inner["int8"], inner["scale"])

    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        if operator is torch.ops.aten.detach.default:  # nn.Parameter calls it
            result = cls(args[0].int8, args[0].scale)
            return torch.utils._python_dispatch.return_and_correct_aliasing(operator, args, kwargs or {}, result)
        args, kwargs = torch.utils._pytree.tree_map_only(cls, lambda w: w.int8 * w.scale, (args, kwargs or {}))
        return operator(*args, **kwargs)

    def __repr__(self):
        return f"Int8Weight({tuple(self.shape)})"


# endregion
layer = torch.nn.Linear(64, 128, bias=False).requires_grad_(False)
scale = layer.weight.abs().amax(1, keepdim=True) / 127
layer.weight = torch.nn.Parameter(Int8Weight((layer.weight / scale).round().to(torch.int8), scale), requires_grad=False)
pipeline = capture(lambda x: layer(x).relu(), compare=True)(torch.randn(8, 64))
show(pipeline.graphs[0].forward)
show(pipeline.kernels)
# region checks
graph = pipeline.graphs[0].forward
assert [node.tensors[0].dtype for node in graph.nodes if node.op == "placeholder"] == ["int8", "float32", "float32"]
assert pipeline.comparison.status == "equal"
assert [kernel.kind for kernel in pipeline.kernels] == ["cpp", "extern", "cpp"]
weight = layer.weight
assert torch.equal(torch.cat([weight, weight])[128:], weight.int8 * weight.scale)
weight.mul_(2)
assert torch.equal(weight.scale, scale)  # a temporary tensor was doubled
layer.to(torch.bfloat16)
assert (layer.weight.dtype, layer.weight.scale.dtype) == (torch.bfloat16, torch.float32)
# endregion
