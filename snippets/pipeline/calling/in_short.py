# /// lesson
# needs = ["compiler"]
# ///
"""The forms to remember: for inference, and for training."""

# region copy
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


model = Model()
model.compile()  # inference: takes all parameters of torch.compile, such as mode=


@torch.compile  # training: a function that calls the model and returns the loss
def loss_of(x, target):
    return (model(x) - target).square().mean()


x = torch.ones(2, 8)
print(model(x).shape, loss_of(x, x))
# endregion
# region checks
torch.testing.assert_close(model(x), x.sin() * 2)
torch.testing.assert_close(loss_of(x, x), (x.sin() * 2 - x).square().mean())
# endregion
