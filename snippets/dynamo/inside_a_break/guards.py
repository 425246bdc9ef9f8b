"""Each piece has its own guards, so only the piece that looks at the factor is compiled again."""

import torch

from compile_lessons import Table, capture_calls, show


def scaled(x, scale):
    y = torch.relu(x)
    print(end="")
    return y * scale["factor"]


x = torch.ones(3)
calls = capture_calls(scaled, backend="eager")([(x, {"factor": factor}) for factor in (2.0, 2.0, 2)])
show(calls)
versions = [(entry.function, entry.entries) for entry in calls.calls[-1].entries]
show(Table(["function", "compiled versions"], versions))

# region checks
assert [call.compiles for call in calls.calls] == [2, 0, 1]
assert [count for _, count in versions] == [1, 2]
# endregion
