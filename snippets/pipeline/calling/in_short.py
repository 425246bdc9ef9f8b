"""The forms to remember: for inference, and for training."""

from torch import compiler, nn, ones, testing

compiler.set_default_backend("eager")  # so that this program needs no C++ compiler


class Model(nn.Module):
    def forward(self, x):
        return x.sin() * 2


def loss_fn(x, target):
    return (model(x) - target).square().mean()


model = Model()

# region copy
import torch

# inference
model.compile()  # takes all parameters of torch.compile, such as mode= and fullgraph=

# training: loss_fn calls the model and returns the loss
loss_fn = torch.compile(loss_fn)
# endregion

# region checks
x = ones(2, 8)
testing.assert_close(model(x), x.sin() * 2)
testing.assert_close(loss_fn(x, x), (x.sin() * 2 - x).square().mean())
# endregion
