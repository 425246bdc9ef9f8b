"""One call with a break: each frame, and what its new bytecode calls."""

import dis
import re

import torch
from torch._dynamo.convert_frame import register_bytecode_hook

from compile_lessons import Diagram, show


def step(x):
    y = torch.relu(x)
    print("halfway")
    return y * 2


def draw(before, after):
    old, new = before.co_name, before.co_name + " new"
    nodes.update({old: before.co_name, new: f"{before.co_name}\nDynamo's bytecode"})
    groups[old], groups[new] = "frame as Python starts it", "bytecode run instead"
    edges.append((old, new))
    for name in dict.fromkeys(str(instruction.argval) for instruction in dis.get_instructions(after)):
        if name.startswith("__resume_at"):
            name = step.__globals__[name].__code__.co_name
        if re.match("__compiled_fn|torch_dynamo_resume|print", name):
            nodes.setdefault(name, re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", name))
            groups.setdefault(name, "called by that bytecode")
            edges.append((new, name))


nodes, edges, groups = {}, [], {}
register_bytecode_hook(draw)
torch.compile(step, backend="eager")(torch.ones(4))

show(Diagram(nodes, edges, groups))
# region checks
assert list(groups.values()).count("frame as Python starts it") == 2
assert sum(name.startswith("__compiled_fn") for name in nodes) == 2
assert {"print", "torch_dynamo_resume_in_step_at_14"} <= {b for a, b in edges if a == "step new"}
# endregion
