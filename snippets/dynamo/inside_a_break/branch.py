"""A branch has two resume functions, one for each way."""

import dis

import torch
from torch._dynamo.convert_frame import register_bytecode_hook

from compile_lessons import Diagram, show


def safe_sqrt(x):
    if x.sum() < 0:
        x = -x
    return torch.sqrt(x)


def keep_graph(graph_module, example_inputs):
    graphs.append("graph: " + ", ".join(n.name for n in graph_module.graph.nodes if "call" in n.op))
    return graph_module.forward


def keep_frame(before, after):  # called after keep_graph, for the same frame
    here = resumes.get(before, before.co_name)
    nodes.update({here: before.co_name, graphs[-1]: graphs[-1]})
    edges.append((here, graphs[-1]))
    loaded = {str(instruction.argval) for instruction in dis.get_instructions(after)}
    for name in sorted(name for name in loaded if name.startswith("__resume_at")):
        resumes[safe_sqrt.__globals__[name].__code__] = name
        edges.append((here, name))


nodes, edges, graphs, resumes = {}, [], [], {}
register_bytecode_hook(keep_frame)
compiled = torch.compile(safe_sqrt, backend=keep_graph)
compiled(torch.ones(8))
one_way = len(graphs)
compiled(-torch.ones(8))
both_ways, resume_count = len(graphs), len(resumes)
show(Diagram(nodes, edges, {name: "graph" if name in graphs else "frame" for name in nodes}))
assert (one_way, both_ways, resume_count) == (2, 3, 2)
