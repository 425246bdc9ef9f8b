# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""The groups of a small network: two matmuls, and three loop nests around them."""

import torch
import torch.nn.functional as F
from _step2_interpret import backend_of
from _step4_backend import compile_graph
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS

from compile_lessons import Diagram, show


def network(x, up, down):
    hidden = F.gelu(F.layer_norm(x, (64,)) @ up)
    return torch.relu(x + hidden @ down)


def show_groups(module):
    boxes = {}
    for number, group in enumerate(fuse(module.graph)):
        for node in group.nodes:
            boxes[node.name] = f"loop nest {number}"
    nodes = [node for node in module.graph.nodes if node.op != "output"]
    names = {node.name: node.name for node in nodes}
    edges = [(used.name, node.name) for node in nodes for used in node.all_input_nodes]
    show(Diagram(names, edges, boxes))
    loop_nests.update(boxes.values())
    return compile_graph(module)


loop_nests = set()
x = torch.randn(16, 64)
up = torch.randn(64, 32)
down = torch.randn(32, 64)
compiled = torch.compile(network, backend=backend_of(show_groups, DECOMPOSITIONS))
result = compiled(x, up, down)
# region checks
assert len(loop_nests) == 3
torch.testing.assert_close(result, network(x, up, down), rtol=1e-4, atol=1e-4)
# endregion
