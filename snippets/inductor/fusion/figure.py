# /// lesson
# needs = ["triton"]
# ///
"""The operators of attention, in the kernels that compute them."""

import torch

from compile_lessons import Diagram, capture, show


def attention(q, k, v, mask):
    scores = q @ k.mT + mask
    return torch.softmax(scores, -1) @ v, scores.amax(-1)


torch.set_float32_matmul_precision("high")
q, k, v = torch.randn(3, 8, 1024, 64)
mask = torch.randn(1024, 1024)
[graph] = capture(attention, target="h200", machine_code=False)(q, k, v, mask).graphs
[lowered] = graph.inductor


def inputs(nodes):
    return [node.name for node in nodes if node.op == "placeholder"]


def is_drawn(node):
    return node.name in frames or node.op == "placeholder"


def sources(name):
    """Return the drawn nodes that a value comes from, past those without a kernel."""
    node = lowered.post_grad.node(name)
    if is_drawn(node):
        return [name]
    return [source for used in node.inputs for source in sources(used)]


# the names in the code of the inputs, which AOTAutograd renames
arguments = [name.strip("l_") for name in inputs(graph.dynamo.nodes)]  # l_q_ is q
names = dict(zip(inputs(graph.forward.nodes), arguments, strict=True))
frames = {}  # the title of the kernel that computes a node
groups = {}  # the kind of a kernel, by its title
for number, kernel in enumerate(lowered.kernels, 1):
    read = ", ".join(names.get(buffer, buffer) for buffer in kernel.loads)
    written = ", ".join(names.get(buffer, buffer) for buffer in kernel.stores)
    title = f"{number}. {kernel.kind} kernel\nreads {read}\nwrites {written}"
    groups[title] = "library call" if kernel.kind == "extern" else "Triton kernel"
    for node_name in kernel.origins:
        frames[node_name] = title
boxes = {}  # the label of a node
edges = []
for node in filter(is_drawn, lowered.post_grad.nodes):
    boxes[node.name] = names.get(node.name, node.name.removesuffix("_default"))
    for used in node.inputs:
        edges.extend((source, node.name) for source in sources(used))
show(Diagram(boxes, edges, groups, frames))
# region checks
assert [kernel.kind for kernel in lowered.kernels] == ["extern", "triton", "extern"]
# endregion
