"""A small text classifier, and a backend that counts."""

import random
from contextlib import contextmanager

import torch
from torch import nn

embed, head = nn.Embedding(100, 16), nn.Linear(16, 4)
graphs, runs = [], []


def classify(tokens):
    """Return the class scores of each row; 0 pads."""
    mask = (tokens != 0).unsqueeze(-1)
    return head((embed(tokens) * mask).sum(1) / mask.sum(1))


def counting(graph_module, example_inputs):
    """Compile nothing; count the compiles in ``graphs`` and the calls of compiled code in ``runs``."""
    graphs.append(graph_module)
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)


def traffic(requests=200):
    """Return the batch size and the length of each request."""
    numbers = random.Random(0)
    return [(numbers.randint(1, 8), numbers.randint(3, 64)) for _ in range(requests)]


def padded(tokens):
    """Pad the batch to a power of two and the length to a multiple of 16."""
    batch, length = tokens.shape
    new = torch.zeros(1 << (batch - 1).bit_length(), 16 * -(-length // 16), dtype=tokens.dtype)
    new[:batch, :length] = tokens
    return new


@contextmanager
def setting(change, value, back):
    """Change a global setting for a block under ``inference_mode``, and change it back."""
    change(value)
    with torch.inference_mode():
        yield
    change(back)
