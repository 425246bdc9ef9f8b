"""A decoder for a server: each row of a batch is the next token of one request."""

import torch
from torch import nn

WIDTH = 32
VOCABULARY = 100


step = {}  # what changes in each step: "lengths" of requests, "caches" of layers


# --8<-- [start:attention]
@torch.library.custom_op("lesson::attention", mutates_args=("out",))
def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, out: torch.Tensor, layer: int
) -> None:
    """Append each request's key and value, and attend to all its keys."""
    keys, values = step["caches"][layer]
    for request, length in enumerate(step["lengths"]):
        keys[request, length] = k[request]
        values[request, length] = v[request]
        scores = keys[request, : length + 1] @ q[request] / WIDTH**0.5
        out[request] = scores.softmax(0) @ values[request, : length + 1]


@attention.register_fake
def attention_on_fake_tensors(q, k, v, out, layer):
    return None


# --8<-- [end:attention]
ATTENTION = torch.ops.lesson.attention.default


# --8<-- [start:model]
class Layer(nn.Module):
    def __init__(self, number, scale=1.0):
        super().__init__()
        self.number = number
        self.scale = scale
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.project = nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU())

    def forward(self, x):
        q, k, v = self.qkv(self.norms[0](x)).chunk(3, -1)
        out = torch.zeros_like(q)
        attention(q, k, v, out, self.number)
        x = x + self.scale * self.project(out)
        return x + self.mlp(self.norms[1](x))


# --8<-- [end:model]


class Decoder(nn.Module):
    def __init__(self, layers, scales=None):
        super().__init__()
        scales = scales or [1.0] * layers
        self.embed = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(map(Layer, range(layers), scales))
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def new_requests(layers, lengths):
    """Fill the caches with a past of the given lengths."""
    generator = torch.Generator().manual_seed(0)
    size = (2, len(lengths), max(lengths) + 8, WIDTH)
    step["caches"] = [torch.randn(size, generator=generator) for _ in range(layers)]
    step["lengths"] = list(lengths)


def next_tokens(count):
    """Return a token for each request; their number is a dynamic size."""
    tokens = torch.arange(count) % VOCABULARY
    torch._dynamo.maybe_mark_dynamic(tokens, 0)
    return tokens
