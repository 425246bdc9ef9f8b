"""Branch on the .item() of nine inputs, and see which branches become a guard."""

import torch

from compile_lessons import Table, capture, show


# region functions
def head(x, n):
    return x[:3] if n.item() > 3 else x + 1


def head_of_list(x, numbers):
    return head(x, numbers[0])


def head_of_detached(x, n):
    return head(x, n.detach())


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.tensor(5))

    def forward(self, x):
        return head(x, self.n)


# endregion


def outcome(function, *arguments):
    captured = capture(function, until="dynamo", fullgraph=True)
    failures = captured(torch.ones(8), *arguments).failures
    if not failures:
        return "becomes a guard"
    assert "Could not guard on" in failures[0].message
    return "error: could not guard"


rows = [
    ["torch.tensor(5)", outcome(head, torch.tensor(5))],
    ["a buffer, torch.tensor(5)", outcome(Head())],
    ["torch.tensor(5.0).double()", outcome(head, torch.tensor(5.0).double())],
    ["an item of a list", outcome(head_of_list, [torch.tensor(5)])],
    ["torch.tensor(5).int()", outcome(head, torch.tensor(5).int())],
    ["torch.tensor(5.0)", outcome(head, torch.tensor(5.0))],
    ["torch.tensor([5])", outcome(head, torch.tensor([5]))],
    ["n[0] of torch.tensor([5, 6])", outcome(head_of_list, torch.tensor([5, 6]))],
    ["torch.tensor(5).detach()", outcome(head_of_detached, torch.tensor(5))],
]
show(Table(["n", "the branch"], rows))

# region checks
assert [row[1] for row in rows[:4]] == ["becomes a guard"] * 4
assert [row[1] for row in rows[4:]] == ["error: could not guard"] * 5
# endregion
