"""The same graph as a figure."""

import torch
import torch.nn.functional as F

from compile_lessons import Diagram, show


def gated(x, w):
    top, bottom = (x @ w).chunk(2)
    return F.gelu(top).add(bottom, alpha=2)


def draw(graph_module, example_inputs):
    nodes, edges, groups = {}, [], {}
    for node in graph_module.graph.nodes:
        value = node.meta.get("example_value")
        size = f"\n{list(value.shape)}" if isinstance(value, torch.Tensor) else ""
        target = node.target if isinstance(node.target, str) else node.target.__name__
        nodes[node.name] = (f"{node.name} = {target}" if "call" in node.op else node.name) + size
        groups[node.name] = node.op
        edges.extend((source.name, node.name) for source in node.all_input_nodes)
    figures.append(Diagram(nodes, edges, groups))
    return graph_module.forward


figures = []
torch.compile(gated, backend=draw)(torch.ones(4, 4), torch.ones(4, 4))
show(figures[0])

arrows = len(figures[0].edges)
assert arrows == 9
