"""Training with a buffer that counts the steps, which the loop changes."""

# options: --compare eager
import torch


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(8, 8)
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        return self.body(x).square() * self.steps


model = Scaled()
model.compile()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
x = torch.randn(16, 8)
for _ in range(8):
    model.steps.add_(1)
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss:.5f}")
