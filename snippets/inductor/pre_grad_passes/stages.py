# /// lesson
# needs = ["compiler"]
# ///
"""The operators that passes of three stages get for the same training step."""

from uuid import uuid4

import torch
from torch import nn
from torch._inductor.custom_graph_pass import CustomGraphPass  # private: no public name

from compile_lessons import Table, show

model = nn.Sequential(nn.Linear(64, 64), nn.LayerNorm(64))
rows = []


def name_of(node):
    return getattr(node.target, "__name__", str(node.target)).partition(".")[0]


# region passes
class NoteOperators(CustomGraphPass):
    def __init__(self, stage):
        self.stage = stage

    def __call__(self, graph):
        calls = [node for node in graph.nodes if node.op == "call_function"]
        rows.append([self.stage, len(calls), " ".join(map(name_of, calls))])

    def uuid(self):
        return str(uuid4())  # no cache has this key, so the pass runs


options = {
    "pre_grad_custom_pass": NoteOperators("pre-grad"),
    "joint_custom_pre_pass": NoteOperators("joint"),
    "post_grad_custom_pre_pass": NoteOperators("post-grad"),
}
compiled = torch.compile(model, options=options)
compiled(torch.randn(8, 64)).sum().backward()
# endregion
show(Table(["pass", "operators", "in the graph"], rows))
# region checks
assert [row[0] for row in rows] == ["pre-grad", "joint", "post-grad", "post-grad"]
assert rows[0][2] == "linear layer_norm"
assert rows[1][1] > 20
# endregion
