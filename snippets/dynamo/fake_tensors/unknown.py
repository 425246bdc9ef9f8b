"""What needs the data, and what becomes of it in eager mode, on fake tensors and under torch.compile."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

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


def outcome(line, x):
    try:
        line(x)
        return "works"
    except Exception as error:
        return type(error).__name__


rows = []
for name, line in lines.items():
    with FakeTensorMode():
        fake = outcome(line, torch.ones(3, 3))
    compiled = torch.compile(line, backend="eager", fullgraph=True)
    rows.append([name, outcome(line, torch.ones(3, 3)), fake, outcome(compiled, torch.ones(3, 3))])
show(Table(["line", "eager mode", "FakeTensorMode", "compiled, fullgraph=True"], rows))
# region checks
assert [row[2] for row in rows[4:]] == ["works"] * 4 and [row[3] for row in rows[:2]] == ["works"] * 2
assert [row[1] for row in rows[5:]] == [row[3] for row in rows[5:]] == ["IndexError", "RuntimeError", "_LinAlgError"]
with FakeTensorMode():
    assert torch.empty(10**15).sum().shape == ()
    try:
        torch.histogram(torch.empty(10**15), 4)  # no meta kernel: runs the real kernel on zeros
        raise SystemExit("histogram has a meta kernel now")
    except RuntimeError as error:
        assert "not enough memory" in str(error) or "allocate" in str(error)
# endregion
