"""Use nonstrict_trace for a function with containers: it misses changes as allow_in_graph does."""

import torch

from compile_lessons import Table, show

factor = 2.0


def scaled(inputs):
    torch._dynamo.graph_break()  # Dynamo does not see it
    return {"y": torch.relu(inputs["x"]) * factor}


nonstrict = torch._dynamo.nonstrict_trace(scaled)
compiled = torch.compile(lambda x: nonstrict({"x": x})["y"] + 1, backend="aot_eager", fullgraph=True)
x, rows = torch.ones(1), []
for factor in (2.0, 10.0):
    rows.append([factor, factor + 1, compiled(x).item()])
show(Table(["factor", "right", "compiled"], rows))

allowed = torch.compiler.allow_in_graph(lambda inputs: {"y": torch.relu(inputs["x"])})
try:
    torch.compile(lambda x: allowed({"x": x})["y"], backend="aot_eager", fullgraph=True)(x)
    refused = "accepted"
except torch._dynamo.exc.Unsupported as error:
    refused = str(error).splitlines()[0]
print("allow_in_graph with a dictionary:", refused)

# region checks
assert rows == [[2.0, 3.0, 3.0], [10.0, 11.0, 3.0]] and refused == "torch.* op returned non-Tensor"
# endregion
