"""What needs the data: in eager mode, on fake tensors and under torch.compile."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode  # no public name

from compile_lessons import Table, show

lines = {
    "x.sum().item()": lambda x: x.sum().item(),
    "x[x > 0]": lambda x: x[x > 0],
    "if x.sum() > 0: …": lambda x: x + 1 if x.sum() > 0 else x,
    "x.numpy() * 2": lambda x: x.numpy() * 2,
    "torch.tensor(2.0).item() * x": lambda x: torch.tensor(2.0).item() * x,
    "x[torch.tensor([9])]": lambda x: x[torch.tensor([9])],
    "x @ x.bfloat16()": lambda x: x @ x.bfloat16(),
    "torch.linalg.cholesky(-x)": lambda x: torch.linalg.cholesky(-x),
}


def outcome(line):
    try:
        line(torch.ones(3, 3))
    except Exception as error:
        return type(error).__name__
    return "works"


rows = []
for name, line in lines.items():
    compiled = torch.compile(line, backend="eager", fullgraph=True)
    with FakeTensorMode():
        on_fake_tensors = outcome(line)
    rows.append([name, outcome(line), on_fake_tensors, outcome(compiled)])
show(Table(["line", "eager mode", "FakeTensorMode", "compiled, fullgraph=True"], rows))

# region checks
assert [row[2] for row in rows[4:]] == ["works"] * 4
assert [row[3] for row in rows[:2]] == ["works"] * 2
errors = ["IndexError", "RuntimeError", "_LinAlgError"]
assert [row[1] for row in rows[5:]] == errors
assert [row[3] for row in rows[5:]] == errors
# endregion
