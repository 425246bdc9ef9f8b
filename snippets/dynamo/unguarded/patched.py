"""Replace a method after the first call: on its class, and on one object."""

import torch

from compile_lessons import Table, show


class Block(torch.nn.Module):
    def scale(self, x):
        return x + 1

    def forward(self, x):
        return self.scale(x)


model = torch.nn.Sequential(Block())
compiled = torch.compile(model, backend="eager")
rows = []


def call(after):
    x = torch.ones(1)
    rows.append([after, model(x).item(), compiled(x).item()])


call("nothing")
Block.scale = lambda self, x: x + 2
call("Block.scale is replaced")
torch.compiler.reset()
call("torch.compiler.reset()")
Block.forward = lambda self, x: x + 3
call("Block.forward is replaced")
model[0].forward = lambda x: x + 4
call("model[0].forward is replaced")
show(Table(["after", "eager", "compiled"], rows))

# region checks
assert [row[1] for row in rows] == [2, 3, 3, 4, 5]
assert [row[2] for row in rows] == [2, 2, 3, 3, 5]
# endregion
