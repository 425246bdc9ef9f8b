"""Two small models with the operators of GPT-2 and of ResNet-18, and their training."""

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width),
            nn.GELU(approximate="tanh"),
            nn.Linear(4 * width, width),
        )

    def split_heads(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def attention(self, x):
        q, k, v = (self.split_heads(part) for part in self.qkv(x).chunk(3, -1))
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        weights = scores.masked_fill(future, -torch.inf).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT2Like(nn.Module):
    def __init__(self, layers=2, width=48, heads=3, words=61, length=24):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))

    def loss(self, tokens):
        logits = self(tokens[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


class Residual(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(after)
        self.skip = nn.Identity()
        if stride > 1:
            self.skip = nn.Conv2d(before, after, 1, stride, bias=False)

    def forward(self, x):
        hidden = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(hidden)) + self.skip(x))


class ResNetLike(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, 1, 1)
        self.stages = nn.Sequential(
            Residual(width, width, 1),
            Residual(width, 2 * width, 2),
            Residual(2 * width, 4 * width, 2),
        )
        self.head = nn.Linear(4 * width, classes)

    def forward(self, x):
        return self.head(self.stages(F.relu(self.stem(x))).mean((2, 3)))

    def loss(self, batch):
        return F.cross_entropy(self(batch), torch.arange(len(batch)) % 10)


def random_batch(kind):
    if kind is GPT2Like:
        return torch.randint(61, (4, 24))
    return torch.randn(8, 3, 16, 16)


def losses(kind, backend=None, steps=10):
    """Return the loss of each training step, in eager mode or with a backend."""
    torch.manual_seed(0)
    model = kind()
    batch = random_batch(kind)
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
