"""One graph that holds the forward and the backward pass."""

import re

import torch
from functorch.compile import min_cut_rematerialization_partition, nop
from torch._dynamo.backends.common import aot_autograd


def layer(x, w):
    return torch.tanh(x @ w)


def show_joint(joint, inputs, **settings):
    text = joint.print_readable(print_output=False)
    print(re.sub(r"\n +# File:.*|;  (\w+ = )+None", "", text))  # without the notes on where lines come from
    joints.append((joint, settings["num_fwd_outputs"]))
    return min_cut_rematerialization_partition(joint, inputs, **settings)


joints = []
x, w = torch.ones(4, 3), torch.ones(3, 2, requires_grad=True)
torch.compile(layer, backend=aot_autograd(fw_compiler=nop, partition_fn=show_joint))(x, w)

[(joint, forward_outputs)] = joints
inputs = [node.name for node in joint.graph.nodes if node.op == "placeholder"]
outputs = [str(value) for value in joint.graph.output_node().args[0]]
assert inputs == ["primals_1", "primals_2", "tangents_1"]
assert (forward_outputs, outputs) == (1, ["tanh", "None", "mm_1"])
