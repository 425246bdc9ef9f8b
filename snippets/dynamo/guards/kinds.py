"""Guard types of values and containers, and a change that each notices."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def look(entries):
    found.extend(entry.guard_type for entry in entries if entry.name not in ("", "x"))
    return [True for entry in entries]


x = torch.ones(4)
examples = {
    "x * v": (lambda x, v: x * v, 3, 4),
    "x + v[0]": (lambda x, v: x + v[0], [1, 2], [1, 2, 3]),
    "x + v['a']": (lambda x, v: x + v["a"], {"a": 1}, {"a": 1.5}),
    "x + ('b' in v)": (lambda x, v: x + ("b" in v), {"a": 1}, {"b": 1}),
    "x + ('a' in v)": (lambda x, v: x + ("a" in v), {"a": 1}, {"b": 1}),
    "[x + 1 for k in v]": (lambda x, v: [x + 1 for k in v], {"a": 1}, {"a": 1, "b": 1}),
    "x + ('p' in v)": (lambda x, v: x + ("p" in v), {"p"}, {"q"}),
    "x + v": (lambda x, v: x + v, x, torch.ones(4)),
}
rows, seen = [], set()
for code, (function, value, changed) in examples.items():
    found, counter = [], CompileCounter()
    compiled = torch.compile(function, backend=counter, options={"guard_filter_fn": look})
    compiled(x, value)
    new = [kind for kind in dict.fromkeys(found) if kind not in seen]
    seen.update(new)
    compiled(x, changed)
    rows.append([code, "x" if value is x else str(value), str(changed), ", ".join(new)])
    assert new and counter.frame_count == 2, code

show(Table(["code", "v", "compiled again for", "guard types not seen above"], rows))
