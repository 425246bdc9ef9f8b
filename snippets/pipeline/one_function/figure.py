# /// lesson
# needs = ["compiler"]
# ///
"""The compile of quick_gelu as a figure: the line, three graphs and two kernels."""

import inspect

from gelu import pipeline, quick_gelu

from compile_lessons import Diagram, show

[graph] = pipeline.graphs
saved = [value.name for value in graph.saved]
line = inspect.getsource(quick_gelu).splitlines()[1].strip()
dynamo = f"Dynamo: {len(graph.dynamo.calls)} operators,\n{len(pipeline.guards)} guards"
boxes, arrows, groups, frames = {"line": line}, [("line", dynamo)], {}, {}


def draw(frame, nodes, group=None):
    for node in nodes[:-1]:  # all but `output`
        box = f"{frame} {node.name}"
        boxes[box], frames[box] = node.name, frame
        arrows.extend((f"{frame} {source}", box) for source in node.inputs)
        role = "saved for the backward pass" if node.name in saved else group
        groups[box] = "recomputed" if node.name in graph.recomputed and group == "backward graph" else role


draw(dynamo, graph.dynamo.nodes)
for part in graph.inductor:
    aten = f"AOTAutograd:\n{part.direction} graph,\n{len(part.post_grad.calls)} operators"
    draw(aten, part.post_grad.nodes, f"{part.direction} graph")
    [kernel] = part.kernels
    boxes[kernel.name] = "\nreads ".join([f"Inductor:\n{len(part.kernels)} {kernel.kind} kernel", *kernel.loads])
    groups[aten] = groups[kernel.name] = f"{part.direction} graph"
    arrows += [(dynamo, aten), (aten, kernel.name)]
groups = {name: group for name, group in groups.items() if group}
show(Diagram(boxes, arrows, groups, frames))
# region checks
assert [len(part.kernels) for part in graph.inductor] == [1, 1]
# endregion
