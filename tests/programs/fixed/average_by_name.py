"""A moving average of the weights goes by their names, those of the original module."""

# options: --compare eager
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x).tanh()


net = Net()
average = {name: weight.detach().clone() for name, weight in net.named_parameters()}
compiled = torch.compile(net, backend="aot_eager")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.ones(16, 1)
for step in range(5):
    loss = torch.nn.functional.mse_loss(compiled(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for name, weight in net.named_parameters():
        if name in average:
            average[name].lerp_(weight.detach(), 0.5)
    validated = torch.nn.functional.mse_loss(torch.func.functional_call(net, average, (x,)), y)
    print(f"step {step}: {loss:.4f}, with averaged weights {validated:.4f}")
