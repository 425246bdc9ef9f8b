"""Guard types of values and containers, and a change that each notices."""

import torch

from compile_lessons import Table, capture, count_recompiles, show

x = torch.ones(4)
examples = {
    "x * v": (lambda x, v: x * v, 3, 4),
    "x + v[0]": (lambda x, v: x + v[0], [1, 2], [1, 2, 3]),
    "x + v['a']": (lambda x, v: x + v["a"], {"a": 1}, {"a": 1.5}),
    "x + ('b' in v)": (lambda x, v: x + ("b" in v), {"a": 1}, {"b": 1}),
    "x + ('a' in v)": (lambda x, v: x + ("a" in v), {"a": 1}, {"b": 1}),
    "[x + 1 for k in v]": (lambda x, v: [x + 1 for k in v], {"a": 1}, {"a": 1, "b": 1}),
    "x + ('p' in v)": (lambda x, v: x + ("p" in v), {"p"}, {"q"}),
    "x + len(v)": (lambda x, v: x + len(v), {"a": 1}, {"b": 1}),
    "x + isinstance(v, int)": (lambda x, v: x + isinstance(v, int), 3, 4),
    "x + v": (lambda x, v: x + v, x, torch.ones(4)),
}
rows, seen, recompiles = [], {"TENSOR_MATCH"}, []
for code, (function, value, changed) in examples.items():
    guards = capture(function, until="dynamo")(x, value).guards
    kinds = dict.fromkeys(guard.kind for guard in guards if "L[" in guard.source)
    new = [kind for kind in kinds if kind not in seen]
    seen.update(new)
    recompiles.append(count_recompiles(function)([(x, value), (x, changed)]))
    rows.append([code, "x" if value is x else value, "a different tensor" if value is x else changed, ", ".join(new)])

show(Table(["code", "v", "recompiles for", "guard types not seen above"], rows))
# region checks
assert recompiles == [1] * 10
assert count_recompiles(lambda x, v: x + len(v))([(x, [1]), (x, ["a"])]) == 0
assert count_recompiles(lambda x, v: x + (v is None))([(x, "a"), (x, "b")]) == 1
# endregion
