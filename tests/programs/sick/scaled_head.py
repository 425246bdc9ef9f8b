"""A model in float16 whose head stays in float32: the compiled one makes the scaler skip a step."""

# options: --compare eager
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(8, 8)
        self.head = torch.nn.Linear(8, 1)

    def forward(self, x):  # finding: different-result
        features = self.body(x).relu()
        with torch.autocast("cpu", enabled=False):
            return self.head(features.float())


torch.manual_seed(0)
model = torch.compile(Model(), backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", growth_interval=1000)
x = torch.randn(32, 8)
y = x.sum(1, keepdim=True)
for step in range(8):
    with torch.autocast("cpu", dtype=torch.float16):
        prediction = model(x)
    loss = (prediction - y).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    print(f"step {step}: loss {loss:.3f}, scale {scaler.get_scale():.0f}")
