"""A Llama-like decoder with random weights and a static cache. It takes one token."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Sizes:
    layers: int = 32
    width: int = 4096
    hidden: int = 11008
    heads: int = 32
    cache: int = 1024
    vocabulary: int = 32000


def rms_norm(x, gain):
    wide = x.float()
    factor = torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-5)
    return (wide * factor).to(x.dtype) * gain


def rotate(x, cosine, sine):
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat((-second, first), -1) * sine


def sums(x, weight):
    """Return ``weight @ x`` for one token, as a sum, which Inductor can fuse."""
    return (weight * x).sum(-1, dtype=torch.float32)


def normed_sums(x, gain, *weights):
    """Multiply the RMSNorm of ``x``. Each row computes the norm's factor again."""
    repeated = x.expand(len(weights[0]), -1).float()
    factor = torch.rsqrt(repeated.square().mean(-1) + 1e-5)
    return [(factor * sums(x * gain, weight)).to(x.dtype) for weight in weights]


class Block(nn.Module):
    """One layer. Its hidden state ``x`` has the shape (1, width)."""

    def __init__(self, sizes, device, dtype):
        super().__init__()
        width = sizes.width
        hidden = sizes.hidden
        self.heads = sizes.heads
        tensors = {
            "qkv": self._weight(3 * width, width),
            "o": self._weight(width, width),
            "gate_up": self._weight(2 * hidden, width),
            "down": self._weight(width, hidden),
            "gain1": torch.ones(width),
            "gain2": torch.ones(width),
            "keys": torch.randn(self.heads, sizes.cache, width // self.heads),
            "values": torch.randn(self.heads, sizes.cache, width // self.heads),
        }
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor.to(device, dtype))

    @staticmethod
    def _weight(rows, columns):
        return torch.randn(rows, columns) * columns**-0.5

    def attend(self, q, k, v, token):
        """Write key and value into the cache, and attend to all that the mask shows."""
        position, cosine, sine, mask = token
        q, k, v = (part.view(self.heads, 1, -1) for part in (q, k, v))
        self.keys.index_copy_(1, position, rotate(k, cosine, sine))
        self.values.index_copy_(1, position, v)
        q = rotate(q, cosine, sine)
        keys = self.keys[None]
        values = self.values[None]
        attended = F.scaled_dot_product_attention(q[None], keys, values, attn_mask=mask)
        return attended.view(1, -1)

    def forward(self, x, token):
        h = rms_norm(x, self.gain1)
        q, k, v = (F.linear(h, weight) for weight in self.qkv.chunk(3))
        x = x + F.linear(self.attend(q, k, v, token), self.o)
        h = rms_norm(x, self.gain2)
        gate, up = (F.linear(h, weight) for weight in self.gate_up.chunk(2))
        return x + F.linear(F.silu(gate) * up, self.down)

    def first_sums(self, x, token):
        """The same up to the SwiGLU, with sums for products."""
        q, k, v = normed_sums(x, self.gain1, *self.qkv.chunk(3))
        attended = self.attend(q, k, v, token)
        x = x + sums(attended, self.o).to(x.dtype)
        gate, up = normed_sums(x, self.gain2, *self.gate_up.chunk(2))
        return x, F.silu(gate) * up

    def last_sum(self, x, h):
        return x + sums(h, self.down).to(x.dtype)


class Decoder(nn.Module):
    """Layers, head, and what a token needs: its position, its rotation and the mask."""

    def __init__(self, sizes, device="cuda", dtype=torch.bfloat16):
        super().__init__()
        with torch.device(device):
            self.blocks = nn.ModuleList(
                Block(sizes, device, dtype) for _ in range(sizes.layers)
            )
            self.gain = nn.Buffer(torch.ones(sizes.width, dtype=dtype))
            head = torch.randn(sizes.vocabulary, sizes.width) * sizes.width**-0.5
            self.head = nn.Buffer(head.to(dtype))
            # the embedding of the token
            self.x = nn.Buffer(torch.randn(1, sizes.width).to(dtype))
            self.position = nn.Buffer(torch.full((1,), sizes.cache - 24))
            half = sizes.width // sizes.heads // 2
            angles = self.position * 10000.0 ** (-torch.arange(half) / half)
            self.cosine = nn.Buffer(torch.cos(angles).repeat(2).to(dtype))
            self.sine = nn.Buffer(torch.sin(angles).repeat(2).to(dtype))
            mask = torch.arange(sizes.cache) <= self.position
            self.mask = nn.Buffer(mask[None, None, None])

    def token(self):
        return self.position, self.cosine, self.sine, self.mask

    def logits(self, x):
        return F.linear(rms_norm(x, self.gain), self.head)

    def logits_sum(self, x):
        return normed_sums(x, self.gain, self.head)[0][None]

    def weights(self):
        weights = [self.head]
        for block in self.blocks:
            weights += [block.qkv, block.o, block.gate_up, block.down]
        return weights

    def bytes_read(self):
        """Bytes of the weights and of the cache: what one token reads at least."""
        weights = sum(weight.nbytes for weight in self.weights())
        return weights + sum(b.keys.nbytes + b.values.nbytes for b in self.blocks)

    def quantize(self):
        """Replace the weights by int8 codes, and store scales as ``<name>_scale``."""
        for block in self.blocks:
            for name in ("qkv", "o", "gate_up", "down"):
                replace_by_codes(block, name)
        replace_by_codes(self, "head")


def replace_by_codes(owner, name):
    weight = getattr(owner, name)
    scale = weight.abs().amax(1).float() / 127
    setattr(owner, name, (weight / scale[:, None]).round().to(torch.int8))
    owner.register_buffer(f"{name}_scale", scale)


def run(decoder, layer, head):
    """Return a function that decodes one token.

    It calls ``layer(block, x, token)`` for each block, and ``head(x)``.
    """

    def step():
        x = decoder.x
        token = decoder.token()
        for block in decoder.blocks:
            x = layer(block, x, token)
        return head(x)

    return step
