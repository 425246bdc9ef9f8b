# /// lesson
# needs = ["compiler"]
# ///
"""What keeps a loop, or an operator in it, from using vectors."""

import re

import torch

from compile_lessons import Table, capture, show

torch.set_num_threads(2)  # the code depends on the number
x = torch.randn(512, 512)
table = torch.randn(512)
# region cases
cases = {  # the loop, and its input
    "x * 2": (lambda x: x * 2, x),
    "x * 2, int64": (lambda x: x * 2, x.long()),
    "x * 2, int16": (lambda x: x * 2, x.short()),
    "x[:, ::2] * 2": (lambda x: x[:, ::2] * 2, x),
    "x.flip(1) * 2": (lambda x: x.flip(1) * 2, x),
    "x.t().contiguous() * 2": (lambda x: x.t().contiguous() * 2, x),
    "table[i] * 2": (lambda i: table[i] * 2, torch.randint(512, (512, 512))),
    "special.i1(x) * 2": (lambda x: torch.special.i1(x) * 2, x),
}
# endregion


def all_cases(inputs):
    """Compute all cases in one kernel: one compile instead of eight."""
    functions = [function for function, _ in cases.values()]
    return [function(x) for function, x in zip(functions, inputs, strict=True)]


inputs = [x.clone() for _, x in cases.values()]
[kernel] = capture(all_cases, machine_code=False)(inputs).kernels
loops = kernel.source.split("#pragma omp for")[1:]
rows = []
for case, loop in zip(cases, loops, strict=True):
    steps = re.findall(r"\+=static_cast<int64_t>\((\d+)L\)", loop)
    works_on = "vectors" if max(map(int, steps)) > 1 else "single elements"
    one_by_one = len(re.findall(r"tmpbuf\w*\[\w+\] = ", loop))
    rows.append([case, works_on, one_by_one])
show(Table(["loop", "works on", "parts done one by one"], rows))
# region checks
single_elements = [row[0] for row in rows if row[1] == "single elements"]
assert single_elements == ["x * 2, int16", "x[:, ::2] * 2", "x.flip(1) * 2"]
assert [row[2] for row in rows] == [0, 0, 0, 0, 0, 0, 2, 1]
# endregion
