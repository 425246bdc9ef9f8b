# /// lesson
# needs = ["compiler"]
# ///
"""A pre-grad pass that replaces each RMSNorm, for inference and for training."""

import torch
from torch import nn

# private: torch has no public way to add a pass
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files

from compile_lessons import capture


@torch.library.custom_op("lesson::rms_norm", mutates_args=())
def rms_norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return torch.rms_norm(x, weight.shape, weight, 1e-6)  # your kernel


def keep_inputs(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def gradients(ctx, gradient):
    x, weight = ctx.saved_tensors
    scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
    normal = x * scale
    weighted = gradient * weight
    parallel = (weighted * normal).mean(-1, keepdim=True)
    of_weight = (gradient * normal).sum_to_size(weight.shape)
    return scale * (weighted - normal * parallel), of_weight


rms_norm.register_fake(lambda x, weight: torch.empty_like(x))
rms_norm.register_autograd(gradients, setup_context=keep_inputs)


# region pass
class UseRmsNorm(CustomGraphPass):
    def __call__(self, graph):
        for node in graph.find_nodes(op="call_function", target=torch.rms_norm):
            x, shape, weight, epsilon = node.args
            if len(shape) == 1 and weight is not None and epsilon == 1e-6:
                node.target = torch.ops.lesson.rms_norm.default
                node.args = (x, weight)

    def uuid(self):
        return get_hash_for_files((__file__,))


# endregion
model = nn.Sequential(nn.RMSNorm(64, eps=1e-6), nn.Linear(64, 64))
x = torch.randn(4, 16, 64)
options = {"pre_grad_custom_pass": UseRmsNorm()}
pipeline = capture(model, options=options, machine_code=False)(x)
for lowered in pipeline.graphs[0].inductor:
    print([node.name for node in lowered.post_grad.calls])
# region checks
parameters = list(model.parameters())
compiled = torch.compile(model, options=options)
expected = torch.autograd.grad(model(x).square().mean(), parameters)
actual = torch.autograd.grad(compiled(x).square().mean(), parameters)
torch.testing.assert_close(actual, expected)
# endregion
