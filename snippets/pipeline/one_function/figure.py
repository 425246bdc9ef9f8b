# /// lesson
# needs = ["compiler"]
# ///
"""The compile of quick_gelu as a figure: the line, three graphs and two kernels."""

import inspect

from gelu import pipeline, quick_gelu

from compile_lessons import Diagram, show


def role_of(node, group):
    if node.name in saved:
        return "saved for the backward pass"
    if node.name in graph.recomputed and group == "backward graph":
        return "recomputed"
    return group


def draw_graph(frame, nodes, group):
    for node in nodes[:-1]:  # all but `output`
        box = f"{frame} {node.name}"
        boxes[box] = node.name
        frames[box] = frame
        arrows.extend((f"{frame} {source}", box) for source in node.inputs)
        role = role_of(node, group)
        if role:
            groups[box] = role


[graph] = pipeline.graphs
saved = [value.name for value in graph.saved]
line = inspect.getsource(quick_gelu).splitlines()[1].strip()
dynamo = f"Dynamo: {len(graph.dynamo.calls)} operators,\n{len(pipeline.guards)} guards"
boxes = {"line": line}
arrows = [("line", dynamo)]
groups = {}
frames = {}
draw_graph(dynamo, graph.dynamo.nodes, None)
for part in graph.inductor:
    count = len(part.post_grad.calls)
    aten = f"AOTAutograd:\n{part.direction} graph,\n{count} operators"
    group = f"{part.direction} graph"
    draw_graph(aten, part.post_grad.nodes, group)
    [kernel] = part.kernels
    title = f"Inductor:\n{len(part.kernels)} {kernel.kind} kernel"
    boxes[kernel.name] = "\nreads ".join([title, *kernel.loads])
    groups[aten] = group
    groups[kernel.name] = group
    arrows += [(dynamo, aten), (aten, kernel.name)]
show(Diagram(boxes, arrows, groups, frames))

# region checks
assert [len(part.kernels) for part in graph.inductor] == [1, 1]
# endregion
