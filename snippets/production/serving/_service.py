"""A small text classifier, and the requests that it serves."""

import random

import torch
from torch import nn

embed = nn.Embedding(100, 16)
head = nn.Linear(16, 4)


def classify(tokens):
    """Return the class scores of each row; 0 pads."""
    mask = (tokens != 0).unsqueeze(-1)
    return head((embed(tokens) * mask).sum(1) / mask.sum(1))


def traffic(requests=200):
    """Return the batch size and the length of each request."""
    numbers = random.Random(0)
    return [(numbers.randint(1, 8), numbers.randint(3, 64)) for _ in range(requests)]


def pad(tokens):
    """Pad the batch to a power of two and the length to a multiple of 16."""
    batch, length = tokens.shape
    buckets = 1 << (batch - 1).bit_length(), 16 * -(-length // 16)
    padded = torch.zeros(buckets, dtype=tokens.dtype)
    padded[:batch, :length] = tokens
    return padded
