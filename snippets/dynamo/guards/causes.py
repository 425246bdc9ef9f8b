"""The guards of one function, and the line that caused each."""

import torch

from compile_lessons import Table, show

gain = 3


def amplify(x, factor, clip):
    y = x * factor * gain
    if clip:
        y = y.clamp(max=1)
    return y


def look(entries):
    rows.extend(
        [entry.name, entry.guard_type, stack[-1].line]
        for entry in entries
        if (stack := entry.orig_guard.user_stack)  # the others guard torch's own state
    )
    return [True for entry in entries]  # keep every guard


rows = []
torch.compile(amplify, backend="eager", options={"guard_filter_fn": look})(torch.ones(4), 2, True)
rows = [row for i, row in enumerate(rows) if row[0] not in [other[0] for other in rows[:i]]]
show(Table(["guarded", "type", "because of the line"], sorted(rows)))

guarded = len(rows)
assert [row[0] for row in sorted(rows)] == ["G['gain']", "clip", "factor", "x"]
