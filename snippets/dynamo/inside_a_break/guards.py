"""Each piece has its own guards, so only the piece that looks at the factor is compiled again."""

import torch

from compile_lessons import capture_calls, show


def scaled(x, scale):
    y = torch.relu(x)
    print(end="")
    return y * scale["factor"]


x = torch.ones(3)
calls = capture_calls(scaled, backend="eager")([(x, {"factor": factor}) for factor in (2.0, 2.0, 2)])
show(calls)
for entry in calls.calls[-1].entries:
    print(entry)

# region checks
assert [call.compiles for call in calls.calls] == [2, 0, 1]
assert [entry.entries for entry in calls.calls[-1].entries] == [1, 2]
# endregion
