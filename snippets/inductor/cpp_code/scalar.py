# /// lesson
# needs = ["compiler"]
# ///
"""What keeps a loop, or an operator in it, from using vectors."""

import re

import torch

from compile_lessons import Table, capture, show

torch.set_num_threads(2)  # the code depends on the number
table = torch.randn(512)
cases = {  # the loop, and its input
    "x * 2": (lambda x: x * 2, torch.randn(512, 512)),
    "x * 2, int64": (lambda x: x * 2, torch.ones(512, 512, dtype=torch.int64)),
    "x * 2, int16": (lambda x: x * 2, torch.ones(512, 512, dtype=torch.int16)),
    "x[:, ::2] * 2": (lambda x: x[:, ::2] * 2, torch.randn(512, 512)),
    "x.flip(1) * 2": (lambda x: x.flip(1) * 2, torch.randn(512, 512)),
    "x.t().contiguous() * 2": (lambda x: x.t().contiguous() * 2, torch.randn(512, 512)),
    "table[i] * 2": (lambda i: table[i] * 2, torch.randint(512, (512, 512))),
    "special.i1(x) * 2": (lambda x: torch.special.i1(x) * 2, torch.randn(512, 512)),
}
inputs = [x for _, x in cases.values()]


def everything(inputs):
    return [case(x) for (case, _), x in zip(cases.values(), inputs, strict=True)]


[kernel] = capture(everything, machine_code=False)(inputs).kernels
rows = []
for case, loop in zip(cases, kernel.source.split("#pragma omp for")[1:], strict=True):
    vectors = any(int(step) > 1 for step in re.findall(r"\+=static_cast<int64_t>\((\d+)L\)", loop))
    one_by_one = len(re.findall(r"tmpbuf\w*\[\w+\] = ", loop))
    rows.append([case, "vectors" if vectors else "single elements", one_by_one])
show(Table(["loop", "works on", "parts done one by one"], rows))
# region checks
assert [row[1] == "vectors" for row in rows] == [True, True, False, False, False, True, True, True]
assert [row[2] for row in rows] == [0, 0, 0, 0, 0, 0, 2, 1]
# endregion
