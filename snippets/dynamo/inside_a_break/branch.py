"""A branch has two resume functions, one for each way."""

import dis
import re

import torch
from torch._dynamo.convert_frame import register_bytecode_hook

from compile_lessons import Diagram, show


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


def keep(before, after):
    here = resumes.get(before, before.co_name)
    nodes.setdefault(here, before.co_name)
    for name in dict.fromkeys(str(instruction.argval) for instruction in dis.get_instructions(after)):
        if name.startswith("__resume_at"):
            code = safe_sqrt.__globals__[name].__code__
            resumes[code], nodes[name] = name, code.co_name
            edges.append((here, name))
        elif name.startswith("__compiled_fn"):
            nodes[name] = re.sub(r"(__compiled_fn_\d+)_\w+", r"\1", name)
            edges.append((here, name))


nodes, edges, resumes = {}, [], {}
register_bytecode_hook(keep)
compiled = torch.compile(safe_sqrt, backend="eager")
compiled(torch.ones(8))
one_way = sum(name.startswith("__compiled_fn") for name in nodes)
compiled(-torch.ones(8))
both_ways = sum(name.startswith("__compiled_fn") for name in nodes)

groups = {name: "graph" if "compiled_fn" in name else "frame" for name in nodes}
show(Diagram(nodes, edges, groups))
resume_count = len(resumes)
assert (one_way, both_ways, resume_count) == (2, 3, 2)
