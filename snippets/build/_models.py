"""Two small models with the operators of GPT-2 and of ResNet-18, and ten training steps of each."""

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.norm1, self.norm2 = heads, nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(self.norm1(x)).chunk(3, -1))
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        scores = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf)
        x = x + self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm2(x))


class GPT2Like(nn.Module):
    def __init__(self, layers=2, width=48, heads=3, words=61, length=24):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))

    def loss(self, tokens):
        return F.cross_entropy(self(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


class Residual(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)
        self.conv2, self.norm2 = nn.Conv2d(after, after, 3, 1, 1, bias=False), nn.BatchNorm2d(after)
        self.skip = nn.Conv2d(before, after, 1, stride, bias=False) if stride > 1 else nn.Identity()

    def forward(self, x):
        return F.relu(self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x))))) + self.skip(x))


class ResNetLike(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        stages = [Residual(width, width, 1), Residual(width, 2 * width, 2), Residual(2 * width, 4 * width, 2)]
        self.stem, self.stages = nn.Conv2d(3, width, 3, 1, 1), nn.Sequential(*stages)
        self.head = nn.Linear(4 * width, classes)

    def forward(self, x):
        return self.head(self.stages(F.relu(self.stem(x))).mean((2, 3)))

    def loss(self, batch):
        return F.cross_entropy(self(batch), torch.arange(len(batch)) % 10)


def losses(kind, backend=None, steps=10):
    """Return the loss of each of ten training steps, in eager mode or with a backend."""
    torch.manual_seed(0)
    model = kind()
    batch = torch.randint(61, (4, 24)) if kind is GPT2Like else torch.randn(8, 3, 16, 16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    step = torch.compile(model.loss, backend=backend) if backend else model.loss
    history = []
    for _ in range(steps):
        loss = step(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        history.append(loss.item())
    return history
