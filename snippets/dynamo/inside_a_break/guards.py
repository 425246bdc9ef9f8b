"""Each piece has its own guards: only the piece that reads the factor recompiles."""

import torch

from compile_lessons import Table, capture_calls, show


def scaled(x, scale):
    y = torch.relu(x)
    print(end="")  # breaks the graph and prints nothing
    return y * scale["factor"]


x = torch.ones(3)
inputs = [(x, {"factor": 2.0}), (x, {"factor": 2.0}), (x, {"factor": 2})]
calls = capture_calls(scaled, backend="eager")(inputs)
show(calls)
pieces = calls.calls[-1].entries  # after the last call
versions = [(piece.function, piece.entries) for piece in pieces]
show(Table(["function", "compiled versions"], versions))

# region checks
assert [call.compiles for call in calls.calls] == [2, 0, 1]
assert [count for _, count in versions] == [1, 2]
# endregion
