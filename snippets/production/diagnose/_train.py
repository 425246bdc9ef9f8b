"""Train a classifier with noise that fades from step to step."""

import torch


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.head = torch.nn.Linear(16, 4)

    def forward(self, x):
        self.steps += 1
        noise = torch.randn_like(x) / self.steps
        return self.head(x + noise)


torch.manual_seed(0)
model = torch.compile(Classifier())
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(40):
    x = torch.randn(8, 16)
    torch.nn.functional.cross_entropy(model(x), x[:, :4].argmax(1)).backward()
    optimizer.step()
    optimizer.zero_grad()
