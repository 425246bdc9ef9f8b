"""Each start has a new folder for the compile cache, as in a container: the program compiles most of its time."""

import os
import tempfile

import torch

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.mixing = torch.nn.TransformerEncoderLayer(32, 2, 128, batch_first=True)

    def forward(self, x):  # advice: compile-time
        return self.mixing(self.attention(x))


model = torch.compile(Model())
for _ in range(3):
    model(torch.randn(2, 8, 32)).sum().backward()
