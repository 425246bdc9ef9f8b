"""Training with dropout under autocast: compiled code draws other numbers than eager mode, and rounds less often."""

# options: --compare eager
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(16, 64), torch.nn.GELU(), torch.nn.Dropout(0.3), torch.nn.Linear(64, 4)
        )
        self.epochs = 0

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.layers(x)


model = Net()
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
for step in range(10):
    x = torch.randn(64, 16)
    loss = torch.nn.functional.cross_entropy(compiled(x), x[:, :4].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: {loss:.4f}")
