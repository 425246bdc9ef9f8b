"""Guard types of values and containers, and a change that each notices."""

import torch

from compile_lessons import Table, capture, count_recompiles, show

x = torch.ones(4)
# region examples
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
# endregion


def describe(value):
    if value is x:
        return "x"
    return "a different tensor" if isinstance(value, torch.Tensor) else value


rows = []
recompiles = []
seen = {"TENSOR_MATCH"}
for code, (function, value, changed) in examples.items():
    guards = capture(function, until="dynamo")(x, value).guards
    types = dict.fromkeys(guard.kind for guard in guards if "L[" in guard.source)
    new_types = [kind for kind in types if kind not in seen]
    seen.update(new_types)
    rows.append([code, describe(value), describe(changed), ", ".join(new_types)])
    recompiles.append(count_recompiles(function)([(x, value), (x, changed)]))
show(Table(["code", "v", "recompiles for", "guard types not seen above"], rows))

# region checks
assert recompiles == [1] * 10
# endregion
