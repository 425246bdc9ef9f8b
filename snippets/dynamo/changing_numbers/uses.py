"""Six values of an argument: what it is used for decides how often Dynamo compiles."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, count_recompiles, show

uses_of_an_int = {
    "x * n": lambda x, n: x * n,
    "x[:n]": lambda x, n: x[:n],
    "if n > 3": lambda x, n: x * 2 if n > 3 else x + 1,
    "for i in range(n)": lambda x, n: sum(x + i for i in range(n)),
    "F.max_pool1d(x, n)": F.max_pool1d,
}
uses_of_a_float = {
    "x * p": lambda x, p: x * p,
    "x.clamp(max=p)": lambda x, p: x.clamp(max=p),
    "x.lerp(x + 1, p)": lambda x, p: x.lerp(x + 1, p),
}
x = torch.ones(1, 64)
ints = [(x, n) for n in range(1, 7)]
floats = [(x, n / 10) for n in range(1, 7)]
tensors = [(x, torch.tensor(n / 10)) for n in range(1, 7)]
rows = []
for use, function in uses_of_an_int.items():
    rows.append([use, "int", 1 + count_recompiles(function)(ints)])
for use, function in uses_of_a_float.items():
    rows.append([use, "float", 1 + count_recompiles(function)(floats)])
    rows.append([use, "tensor", 1 + count_recompiles(function)(tensors)])
show(Table(["use", "n or p is", "compiles for six values"], rows))

# region checks
assert [row[2] for row in rows] == [2, 2, 3, 6, 6, 2, 1, 6, 1, 6, 1]
# endregion
