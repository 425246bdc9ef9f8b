"""One call without a tensor operation turns off compilation."""

import torch

from compile_lessons import Table, show


def drop_path(x, training):
    if not training:
        return x
    return x * (torch.rand(len(x), 1) > 0.1) / 0.9


def counting(graph_module, example_inputs):
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


x, columns = torch.ones(8, 4), []
calls = {"training": True, "evaluation": False, "training again": True}
for fullgraph in (False, True):
    torch.compiler.reset()
    compiled, column = torch.compile(drop_path, backend=counting, fullgraph=fullgraph), []
    for training in calls.values():
        runs = []
        compiled(x, training)
        column.append("compiled code" if runs else "eager mode")
    columns.append(column)
show(Table(["call", "default", "fullgraph=True"], list(zip(calls, *columns, strict=True))))
# region checks
assert columns[0] == ["compiled code", "eager mode", "eager mode"]
assert columns[1] == ["compiled code"] * 3
# endregion
