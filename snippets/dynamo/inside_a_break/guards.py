"""Each piece has its own guards: only the piece that reads the factor recompiles."""

import torch

from compile_lessons import Table, capture_calls, show


def scaled(x, scale):
    y = torch.relu(x)
    print(end="")
    return y * scale["factor"]


x = torch.ones(3)
inputs = [(x, {"factor": 2.0}), (x, {"factor": 2.0}), (x, {"factor": 2})]
calls = capture_calls(scaled, backend="eager")(inputs)
show(calls)
versions = [(entry.function, entry.entries) for entry in calls.calls[-1].entries]
show(Table(["function", "compiled versions"], versions))

# region checks
assert [call.compiles for call in calls.calls] == [2, 0, 1]
assert [count for _, count in versions] == [1, 2]
# endregion
