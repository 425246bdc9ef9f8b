# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# ///
"""The groups of a small network: two matmuls, and three loop nests around them."""

import torch
from _step2_interpret import backend_of
from _step4_backend import compile_graph
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS

from compile_lessons import Diagram, show


def network(x, up, down):
    hidden = torch.nn.functional.gelu(torch.nn.functional.layer_norm(x, (64,)) @ up)
    return torch.relu(x + hidden @ down)


def show_groups(module):
    groups = fuse(module.graph)
    home = {node: f"loop nest {number}" for number, group in enumerate(groups) for node in group.nodes}
    nodes = [node for node in module.graph.nodes if node.op != "output"]
    texts = {node.name: node.name for node in nodes}
    edges = [(used.name, node.name) for node in nodes for used in node.all_input_nodes]
    show(Diagram(texts, edges, {node.name: home[node] for node in nodes if node in home}))
    counts.append(len(groups))
    return compile_graph(module)


counts, x, up, down = [], torch.randn(16, 64), torch.randn(64, 32), torch.randn(32, 64)
result = torch.compile(network, backend=backend_of(show_groups, DECOMPOSITIONS))(x, up, down)
# region checks
assert counts == [3]
torch.testing.assert_close(result, network(x, up, down), rtol=1e-4, atol=1e-4)
# endregion
