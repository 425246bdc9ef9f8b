"""What a version does not depend on, and what it does."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show

numbers = [7] * 1000


def plus_first(x, note):
    return x + numbers[0]


def look(entries):
    guarded.extend(entry.name for entry in entries if "numbers" in entry.name)
    return [True for entry in entries]


counter, guarded, rows, x = CompileCounter(), [], [], torch.ones(4)
compiled = torch.compile(plus_first, backend=counter, options={"guard_filter_fn": look})
compiled(x, "first")
at_first = sorted(set(guarded))
compiled(x, "second")
rows.append(["another note", counter.frame_count])
numbers[500] = 8
compiled(x, "second")
rows.append(["another numbers[500]", counter.frame_count])
with torch.no_grad():
    compiled(x, "second")
rows.append(["torch.no_grad()", counter.frame_count])
numbers.append(9)
compiled(x, "second")
rows.append(["a longer list", counter.frame_count])

show(Table(["after a call with", "versions"], rows))
print("guarded at first:", *at_first)
assert [row[1] for row in rows] == [1, 1, 2, 3]
assert at_first == ["G['numbers']", "G['numbers'][0]"]
