"""GPT-2 with 124 million parameters, and its training step."""

import os
import sys
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

BATCH = 32
LENGTH = 1024
#: Vocabulary, attention kernels and dtype of the residual stream of the compiled steps.
VARIANTS = {
    "flash": (50304, SDPBackend.FLASH_ATTENTION, torch.float32),
    "cudnn": (50304, SDPBackend.CUDNN_ATTENTION, torch.float32),
    "bf16": (50304, SDPBackend.CUDNN_ATTENTION, torch.bfloat16),
}


@dataclass(frozen=True)
class Sizes:
    vocabulary: int = 50257
    context: int = LENGTH
    layers: int = 12
    heads: int = 12
    width: int = 768


class Block(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        width = sizes.width
        self.heads = sizes.heads
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.project = nn.Linear(width, width)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(attended.transpose(1, 2).reshape(batch, length, width))
        hidden = F.gelu(self.widen(self.norm2(x)), approximate="tanh")
        return x + self.narrow(hidden)


class GPT2(nn.Module):
    def __init__(self, sizes, residual=torch.float32):
        super().__init__()
        self.residual = residual
        self.tokens = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.context, sizes.width)
        self.blocks = nn.ModuleList(Block(sizes) for _ in range(sizes.layers))
        self.norm = nn.LayerNorm(sizes.width)
        self.head = nn.Linear(sizes.width, sizes.vocabulary, bias=False)
        self.head.weight = self.tokens.weight
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens, targets):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = (self.tokens(tokens) + self.positions(positions)).to(self.residual)
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.norm(x)).flatten(0, 1)
        return F.cross_entropy(logits, targets.flatten())


def training_step(vocabulary, attention, residual, compiled, capturable=False):
    """Return a function that makes one training step and returns its loss."""
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = GPT2(Sizes(vocabulary), residual)
        tokens, targets = torch.randint(0, 50257, (2, BATCH, LENGTH))
    options = {"lr": 3e-4, "fused": True, "capturable": capturable}
    optimizer = torch.optim.AdamW(model.parameters(), **options)
    forward = torch.compile(model) if compiled else model

    def step():
        with torch.autocast("cuda", torch.bfloat16), sdpa_kernel(attention):
            loss = forward(tokens, targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    return step


def flops_per_token(sizes=Sizes, parameters=124_439_808):
    """Six for each parameter, and attention's products as if nothing were masked."""
    one = sizes()
    return 6 * parameters + 12 * one.layers * one.width * one.context


def cache_of(variant):
    """Use a cache for each variant: the keys don't say which attention was compiled."""
    folder = os.path.join(os.environ["COMMON_CACHE"], variant)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder


if __name__ == "__main__":  # compiles a variant into its cache
    cache_of(sys.argv[1])
    training_step(*VARIANTS[sys.argv[1]], compiled=True)()
    torch.cuda.synchronize()
