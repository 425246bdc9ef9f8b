# /// lesson
# needs = ["compiler"]
# ///
"""A pass that runs by default moves an activation in front of `cat`."""

from uuid import uuid4

import torch
import torch.nn.functional as F
from torch._inductor.custom_graph_pass import CustomGraphPass  # private: no public name

from compile_lessons import Table, show


# region functions
def join(x, y):
    return torch.cat([x, y]).relu()


def read_floats(first_bytes, last_bytes):
    return torch.cat([first_bytes, last_bytes]).view(torch.float32).relu()


def read_floats_fixed(first_bytes, last_bytes):
    return F.relu(torch.cat([first_bytes, last_bytes]).view(torch.float32))


# endregion
class NoteOperators(CustomGraphPass):
    def __call__(self, graph):
        calls = [node for node in graph.nodes if node.op.startswith("call_")]
        names.append(" ".join(node.name.rstrip("_123") for node in calls))

    def uuid(self):
        return str(uuid4())  # no cache has this key, so the pass runs


names = []
options = {"pre_grad_custom_pass": NoteOperators()}
floats = torch.linspace(-1, 1, 8)
rows = []
for function in (join, read_floats, read_floats_fixed):
    inputs = [floats, floats] if function is join else [floats.view(torch.uint8)] * 2
    compiled = torch.compile(function, options=options)
    equal = torch.equal(compiled(*inputs), function(*inputs))
    rows.append([function.__name__, names[-1], equal])
show(Table(["function", "operators after the passes", "equals eager mode"], rows))
# region checks
assert [row[2] for row in rows] == [True, False, True]
assert rows[0][1] == "relu relu cat"
assert rows[1][1] == "relu relu cat view"
# endregion
