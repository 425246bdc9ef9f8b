"""Guards that the reader's own values can fail, each with its line."""

import torch

from compile_lessons import capture
from compile_lessons.findings.watched import digest


def by_size(x, y):
    z = x * 2
    return z[: y.shape[0]] + y


def test_a_condition_on_sizes_is_named_by_its_sizes_and_has_a_line() -> None:
    x, y = torch.ones(8, 2), torch.ones(4, 2)
    torch._dynamo.mark_dynamic(x, 0)
    torch._dynamo.mark_dynamic(y, 0)
    guards = capture(by_size, until="dynamo")(x, y).guards
    assert any(guard.kind == "SHAPE_ENV" and guard.checks and guard.location is None for guard in guards)
    rows = digest(guards).inputs
    assert all(row.location is not None for row in rows)
    conditions = {row.source: row.value for row in rows if ".size(" in row.source}
    assert conditions == {
        "y.size(0), x.size(0)": "y.size(0) <= x.size(0)",
        "x.size(0)": "2 <= x.size(0)",
        "y.size(0)": "2 <= y.size(0)",
    }


class Scaled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.limit = torch.nn.Linear(2, 2), 3

    def forward(self, x):
        return self.linear(x).clamp(max=self.limit)


def test_guards_are_counted_once() -> None:
    model = torch.nn.Sequential(Scaled(), Scaled())
    guards = capture(model, until="dynamo")(torch.ones(2, 2)).guards
    found = digest(guards)
    assert found.number == len(guards) and found.on_parameters == 4
    [limit] = found.values
    assert limit.source.endswith(".limit") and (limit.value, limit.more) == ("3", 1)
