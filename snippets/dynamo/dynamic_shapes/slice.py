"""A Python int that changes is a symbol too, an int attribute of a module is not."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


class Head(torch.nn.Module):
    def forward(self, x):
        return x[: self.n].sum()


def head(x, n):
    return x[:n].sum()


x, rows = torch.ones(64), []
counter = CompileCounter()  # a backend that counts
compiled = torch.compile(head, backend=counter)
for n in range(20):
    compiled(x, n)
arguments = counter.frame_count

module, counter = Head(), CompileCounter()
compiled = torch.compile(module, backend=counter)
for module.n in range(2, 8):
    compiled(x)
attributes = counter.frame_count

rows = [["an argument", 20, arguments], ["an attribute", 6, attributes]]
show(Table(["n is", "values", "compiles"], rows))
assert (arguments, attributes) == (2, 6)
