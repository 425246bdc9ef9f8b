"""Branch on the .item() of nine inputs, and see which branches become a guard."""

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
    "torch.tensor(5.0).double()": (head, torch.tensor(5.0).double()),
    "an item of a list": (lambda x, numbers: head(x, numbers[0]), [torch.tensor(5)]),
    "torch.tensor(5).int()": (head, torch.tensor(5).int()),
    "torch.tensor(5.0)": (head, torch.tensor(5.0)),
    "torch.tensor([5])": (head, torch.tensor([5])),
    "n[0] of torch.tensor([5, 6])": (lambda x, n: head(x, n[0]), torch.tensor([5, 6])),
    "torch.tensor(5).detach()": (lambda x, n: head(x, n.detach()), torch.tensor(5)),
}
rows = []
for name, (function, *arguments) in cases.items():
    failures = capture(function, until="dynamo", fullgraph=True)(x, *arguments).failures
    rows.append([name, "error: could not guard" if failures else "becomes a guard"])
show(Table(["n", "the branch"], rows))
# region checks
assert ["error" in row[1] for row in rows] == [False] * 4 + [True] * 5
assert "Could not guard" in failures[0].message
numbers = {"n": torch.tensor(5)}
pipeline = capture(lambda x, numbers: head(x, numbers["n"]), until="dynamo", fullgraph=True)(x, numbers)
assert len(pipeline.graphs) == 1 and not pipeline.failures
assert capture(head, until="dynamo")(x, torch.tensor(5)).breaks  # by default, .item() breaks the graph
# endregion
