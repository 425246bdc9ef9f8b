"""One call with a break: each frame, and what its new bytecode calls."""

import re

import torch

from compile_lessons import Diagram, capture, show


# region step
def step(x):
    y = torch.relu(x)
    print("halfway")
    return y * 2


# endregion


def functions_called(frame, next_frames):
    """Return what the new bytecode of a frame calls."""
    names = [instruction.argument for instruction in frame.rewritten]
    calls = re.findall(r"__compiled_fn_\d+|__resume_at|print", " ".join(names))
    resumed = next_frames[0].function if next_frames else ""
    return [resumed if name == "__resume_at" else name for name in dict.fromkeys(calls)]


frames = capture(step, until="dynamo")(torch.ones(4)).frames
nodes = {}
edges = []
groups = {}
for number, frame in enumerate(frames):
    new = f"{frame.function} new"
    nodes[frame.function] = frame.function
    nodes[new] = f"{frame.function}\nDynamo's bytecode"
    groups[frame.function] = "frame as Python starts it"
    groups[new] = "bytecode run instead"
    edges.append((frame.function, new))
    for name in functions_called(frame, frames[number + 1 :]):
        nodes.setdefault(name, name)
        groups.setdefault(name, "called by that bytecode")
        edges.append((new, name))
show(Diagram(nodes, edges, groups))

# region checks
assert len(frames) == 2
assert sum(name.startswith("__compiled_fn") for name in nodes) == 2
called = [name for source, name in edges if source == "step new"]
assert "print" in called
assert frames[1].function in called
# endregion
