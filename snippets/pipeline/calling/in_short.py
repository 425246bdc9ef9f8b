"""The two forms to remember."""

from torch import compiler, nn, ones, testing

compiler.set_default_backend("eager")  # so that this program needs no C++ compiler


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


def loss(prediction, target):
    return (prediction - target).square().mean()


model = Model()

# region copy
import torch

model.compile()  # takes all parameters of torch.compile, such as mode= and fullgraph=

loss = torch.compile(loss)
layer = torch.compile(torch.nn.Linear(8, 8))
# endregion

# region checks
x = ones(2, 8)
testing.assert_close(model(x), x.sin() * 2)
assert loss(x, x).item() == 0 and layer(x).shape == (2, 8)
# endregion
