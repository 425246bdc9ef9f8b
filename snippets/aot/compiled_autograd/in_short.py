"""A training step with compiled autograd, which is turned on before torch.compile."""

import torch
from torch.nn import Linear, ReLU, Sequential

torch.manual_seed(0)
model = Sequential(Linear(4, 8), ReLU(), Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(3, 4), torch.tensor([0, 1, 1])) for _ in range(2)]
# region copy
torch._dynamo.config.compiled_autograd = True  # before torch.compile


def train_step(x, y):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()  # inside the compiled function
    return loss


compiled_step = torch.compile(train_step)


def train():
    for x, y in batches:
        optimizer.zero_grad()
        print("loss:", round(compiled_step(x, y).item(), 3))
        optimizer.step()


# endregion
compiled_step = torch.compile(train_step, backend="aot_eager")  # needs no C++ compiler
train()
# region checks
x, y = batches[0]
gradients = []
for step in (train_step, compiled_step):
    optimizer.zero_grad()
    step(x, y)
    gradients.append(model[0].weight.grad.clone())
torch.testing.assert_close(*gradients)
# endregion
