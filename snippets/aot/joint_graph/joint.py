"""One graph that holds the forward and the backward pass."""

import torch
from functorch.compile import default_partition, nop
from torch._dynamo.backends.common import aot_autograd


def layer(x, w):
    return torch.tanh(x @ w)


def print_joint(joint, inputs, **settings):
    joint.print_readable()
    joints.append((joint, settings["num_fwd_outputs"]))
    return default_partition(joint, inputs, **settings)


joints = []
x, w = torch.ones(4, 3), torch.ones(3, 2, requires_grad=True)
torch.compile(layer, backend=aot_autograd(fw_compiler=nop, partition_fn=print_joint))(x, w)
# region checks
[(joint, forward_outputs)] = joints
inputs = [node.name for node in joint.graph.nodes if node.op == "placeholder"]
outputs = [str(value) for value in joint.graph.output_node().args[0]]
assert inputs == ["primals_1", "primals_2", "tangents_1"]
assert (forward_outputs, outputs) == (1, ["tanh", "None", "mm_1"])
# endregion
