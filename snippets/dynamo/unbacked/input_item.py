"""The .item() of which inputs is backed?"""

import torch

from compile_lessons import Table, capture, show


def head(x, n):
    return x[:3] if n.item() > 3 else x + 1


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.tensor(5))

    def forward(self, x):
        return head(x, self.n)


x = torch.ones(8)
cases = {
    "torch.tensor(5)": (head, torch.tensor(5)),
    "a buffer, torch.tensor(5)": (Head(),),
    "torch.tensor(5).int()": (head, torch.tensor(5).int()),
    "torch.tensor(5.0)": (head, torch.tensor(5.0)),
    "torch.tensor([5])": (head, torch.tensor([5])),
    "n[0] of torch.tensor([5, 6])": (lambda x, n: head(x, n[0]), torch.tensor([5, 6])),
}
rows = []
for name, (function, *arguments) in cases.items():
    failures = capture(function, until="dynamo", fullgraph=True)(x, *arguments).failures
    rows.append([name, "error: could not guard" if failures else "becomes a guard"])
show(Table(["n", "the branch"], rows))
# region checks
assert ["error" in row[1] for row in rows] == [False] * 2 + [True] * 4
assert "Could not guard" in failures[0].message
# endregion
