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
[graph] = capture(attention, target="h200", machine_code=False)(q, k, v, torch.randn(1024, 1024)).graphs
[lowered] = graph.inductor
inputs = [node.name for node in graph.forward.nodes if node.op == "placeholder"]
arguments = [node.name.strip("l_") for node in graph.dynamo.nodes if node.op == "placeholder"]  # l_mask_ is `mask`
names = dict(zip(inputs, arguments, strict=True))
frames, groups = {}, {}
for number, kernel in enumerate(lowered.kernels, 1):
    read, written = (", ".join(names.get(buffer, buffer) for buffer in side) for side in (kernel.loads, kernel.stores))
    title = f"{number}. {kernel.kind} kernel\nreads {read}\nwrites {written}"
    groups[title] = "library call" if kernel.kind == "extern" else "Triton kernel"
    frames.update(dict.fromkeys(kernel.origins, title))


def sources(name):  # what has no kernel, such as a view, is passed over
    node = lowered.post_grad.node(name)
    drawn = name in frames or node.op == "placeholder"
    return [name] if drawn else [source for used in node.inputs for source in sources(used)]


nodes = [node for node in lowered.post_grad.nodes if node.name in frames or node.op == "placeholder"]
boxes = {node.name: names.get(node.name, node.name.removesuffix("_default")) for node in nodes}
edges = [(source, node.name) for node in nodes for used in node.inputs for source in sources(used)]
show(Diagram(boxes, edges, groups, frames))
# region checks
assert [kernel.kind for kernel in lowered.kernels] == ["extern", "triton", "extern"]
# endregion
