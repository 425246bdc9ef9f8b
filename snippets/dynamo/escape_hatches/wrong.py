"""A wrong result, and no error."""

import torch

from compile_lessons import Table, show

factor = 2.0


def scaled(x):
    return torch.relu(x) * factor


plain = torch.compile(lambda x: scaled(x) + 1, backend="aot_eager", fullgraph=True)
hidden = torch.compiler.allow_in_graph(lambda x: torch.relu(x) * factor)
allowed = torch.compile(lambda x: hidden(x) + 1, backend="aot_eager", fullgraph=True)
no_aot = torch.compile(lambda x: hidden(x) + 1, backend="eager", fullgraph=True)

x, rows = torch.ones(1), []
for factor in (2.0, 10.0):
    eager = scaled(x) + 1
    rows.append([factor, *(result.item() for result in (eager, plain(x), allowed(x), no_aot(x)))])

columns = ["factor", "not compiled", "compiled", "allow_in_graph", 'allow_in_graph, backend="eager"']
show(Table(columns, rows))

# region checks
assert rows[0][1:] == [3.0, 3.0, 3.0, 3.0] and rows[1][1:] == [11.0, 11.0, 3.0, 11.0]
assert "silent" in torch.compiler.allow_in_graph.__doc__


def with_a_break(inputs):
    torch._dynamo.graph_break()  # Dynamo does not see it
    return {"y": torch.relu(inputs["x"]) * factor}


nonstrict, results = torch._dynamo.nonstrict_trace(with_a_break), []
compiled = torch.compile(lambda x: nonstrict({"x": x})["y"], backend="aot_eager", fullgraph=True)
for factor in (2.0, 10.0):  # noqa: B007, a global that the function reads
    results.append(compiled(x).item())
assert results == [2.0, 2.0]
ran = []
loud = torch.compiler.allow_in_graph(lambda x: ran.append(1) or x * 2)
compiled = torch.compile(lambda x: loud(x) + 1, backend="aot_eager", fullgraph=True)
compiled(x)
while_compiling = len(ran)
compiled(x)
assert len(ran) == while_compiling > 0
# endregion
