"""One product of a bfloat16 model is in float32, and TF32 is off."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(256, 256, dtype=torch.bfloat16)
        self.last = torch.nn.Linear(256, 256, dtype=torch.bfloat16)
        self.register_buffer("rotation", torch.eye(256))

    def forward(self, x):
        y = self.first(x).relu()
        z = y.float() @ self.rotation  # advice: float32-matmul
        return self.last(z.bfloat16())


model = torch.compile(Model().cuda())
for _ in range(5):
    model(torch.ones(64, 256, dtype=torch.bfloat16, device="cuda"))
