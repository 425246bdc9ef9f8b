"""nonstrict_trace: as allow_in_graph, for modules and containers too, with the same blind spot."""

import torch

from compile_lessons import Table, show

factor = 2.0


@torch._dynamo.nonstrict_trace
def scaled(inputs):
    torch._dynamo.graph_break()  # Dynamo does not see it
    return {"y": torch.relu(inputs["x"]) * factor}


compiled = torch.compile(lambda x: scaled({"x": x})["y"] + 1, backend="aot_eager", fullgraph=True)
x, rows = torch.ones(1), []
for factor in (2.0, 10.0):
    rows.append([factor, factor + 1, compiled(x).item()])

show(Table(["factor", "right", "compiled"], rows))
wrong = rows[1][2]
assert wrong == 3.0
