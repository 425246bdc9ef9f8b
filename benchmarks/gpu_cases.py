"""The functions and models whose GPU code is compared: what Inductor writes without a GPU beside what it writes on one.

A case is a function of ``device`` that returns the function to compile and its arguments; random numbers are seeded
by the caller. Sizes are small where the code does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

Case = Callable[[str], tuple[Callable[..., Any], tuple[Any, ...]]]
CASES: dict[str, Case] = {}
DYNAMIC = {"dynamic_pointwise", "dynamic_softmax", "dynamic_linear"}


def _tensors(*shapes: tuple[int, ...], dtype: torch.dtype = torch.float32, grad: bool = True) -> Case:
    def make(device: str) -> tuple[Any, ...]:
        return tuple(torch.randn(shape, device=device, dtype=dtype).requires_grad_(grad) for shape in shapes)

    return make


def case(name: str, function: Callable[..., Any], *shapes: tuple[int, ...], **options: Any) -> None:
    make = _tensors(*shapes, **options)
    CASES[name] = lambda device: (function, make(device))


def model(
    name: str, build: Callable[[], nn.Module], *shapes: tuple[int, ...], dtype: torch.dtype = torch.float32
) -> None:
    make = _tensors(*shapes, dtype=dtype, grad=False)
    CASES[name] = lambda device: (build().to(device, dtype), make(device))


def _ints(device: str, high: int, *shape: int) -> torch.Tensor:
    return torch.randint(high, shape, device=device)


HALF, BF16 = torch.float16, torch.bfloat16
SQUARE = (1024, 1024)

# Pointwise
case("quick_gelu", lambda x: x * torch.sigmoid(1.702 * x), (1024,))
case("sin_cos", lambda x: (x.sin() + x.cos()) * 2, SQUARE)
case("gelu", F.gelu, SQUARE)
case("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), SQUARE)
case("swiglu", lambda x: F.silu(x[:, :1024]) * x[:, 1024:], (2048, 2048))
case("where", lambda x, y: torch.where(x > y, x.exp(), y.log1p().nan_to_num()), SQUARE, SQUARE)
case("broadcast", lambda x, b: (x + b).tanh(), (512, 64, 32), (64, 1))
case("transpose_add", lambda x, y: x.t() + y, SQUARE, SQUARE)
case("clamp_round", lambda x: x.clamp(-1, 1).round() + x.frac(), (4096,), grad=False)
case("pow_rsqrt", lambda x: x.abs().pow(1.5) * x.square().add(1).rsqrt(), SQUARE)
case("cat", lambda x, y: torch.cat([x.relu(), y.sigmoid()], 1), (256, 100), (256, 28))
case("stack_flip", lambda x, y: torch.stack([x, y.flip(0)]).mul(2), (64, 64), (64, 64))
case("in_place", lambda x: x.add_(1).mul_(2), SQUARE, grad=False)
case("scalar_sum", lambda x, y: x * 2 + y * 3, (7,), (7,))
case("bf16_pointwise", lambda x: (x.exp() - 1) * x, SQUARE, dtype=BF16)
case("half_pointwise", lambda x: F.mish(x), SQUARE, dtype=HALF)
case("bool_logic", lambda x, y: ((x > 0) & (y > 0)).float(), SQUARE, SQUARE, grad=False)
case("pad_roll", lambda x: F.pad(x, (1, 2, 3, 4)).roll(3, 1), (128, 128))
CASES["int_shift"] = lambda d: (lambda x: (x << 2) ^ (x // 3), (_ints(d, 100, 4096),))

# Reductions and scans
case("sum_all", lambda x: x.sum(), (8192, 1024))
case("mean_last", lambda x: x.mean(-1), SQUARE)
case("sum_first", lambda x: x.sum(0), (4096, 512))
case("var_std", lambda x: x.var(-1) + x.std(-1), (512, 2048))
case("amax_argmax", lambda x: (x.amax(-1), x.argmax(-1)), SQUARE, grad=False)
case("norm", lambda x: x / x.norm(dim=-1, keepdim=True), SQUARE)
case("logsumexp", lambda x: x.logsumexp(-1), SQUARE)
case("long_row", lambda x: x.softmax(-1), (64, 65536))
case("cumsum", lambda x: x.cumsum(-1).tanh(), (512, 2048))
case("cumprod", lambda x: x.cumprod(-1), (64, 256), grad=False)
case("cummax", lambda x: x.cummax(-1).values, (64, 256), grad=False)
case("any_all", lambda x: (x > 2).any(-1) | (x < 3).all(-1), SQUARE, grad=False)
case("sort", lambda x: x.sort(-1).values, (64, 128), grad=False)

# Norms and softmax
case("softmax", lambda x: x.softmax(-1), SQUARE)
case("log_softmax", lambda x: x.log_softmax(-1), (128, 10000))
case("softmax_bf16", lambda x: x.softmax(-1), SQUARE, dtype=BF16)
case("layer_norm", lambda x, w, b: F.layer_norm(x, (1024,), w, b), SQUARE, (1024,), (1024,))
case("layer_norm_bf16", lambda x, w, b: F.layer_norm(x, (1024,), w, b), SQUARE, (1024,), (1024,), dtype=BF16)
case("rms_norm", lambda x, w: F.rms_norm(x, (4096,), w), (512, 4096), (4096,))
case("rms_norm_hand", lambda x: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6), (512, 4096))
case("group_norm", lambda x, w, b: F.group_norm(x, 8, w, b), (8, 64, 16, 16), (64,), (64,))
model("batch_norm_train", lambda: nn.BatchNorm2d(32), (8, 32, 16, 16))
model("batch_norm_eval", lambda: nn.BatchNorm2d(32).eval(), (8, 32, 16, 16))
case("residual_norm", lambda x, y, w: F.layer_norm(x + F.gelu(y), (768,), w), (512, 768), (512, 768), (768,))
CASES["cross_entropy"] = lambda d: (
    F.cross_entropy,
    (torch.randn(256, 1000, device=d, requires_grad=True), _ints(d, 1000, 256)),
)

# Matmuls and what follows them
case("matmul_relu", lambda a, b: (a @ b).relu(), (128, 256), (256, 512))
case("addmm_gelu", lambda x, w, b: F.gelu(F.linear(x, w, b)), (64, 128), (256, 128), (256,))
case("bmm", lambda a, b: torch.bmm(a, b) * 2, (8, 64, 32), (8, 32, 64))
case("matvec", lambda a, b: (a @ b).relu(), (1, 64), (64, 1))
case("einsum", lambda a, b: torch.einsum("bij,bkj->bik", a, b).tanh(), (4, 32, 16), (4, 8, 16))
case("unaligned_matmul", lambda a, b: (a @ b).relu(), (1023, 1021), (1021, 1019))
case("matmul_bf16", lambda a, b: (a @ b).relu(), (128, 256), (256, 512), dtype=BF16)
model("mlp", lambda: nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64)), (32, 64))
model("residual_mlp", lambda: _Residual(128), (32, 128))


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(F.silu(self.up(self.norm(x))))


# Attention
HEADS = (2, 4, 128, 64)
case("attention_float32", F.scaled_dot_product_attention, HEADS, HEADS, HEADS)
case("attention_bf16", F.scaled_dot_product_attention, HEADS, HEADS, HEADS, dtype=BF16)
case(
    "attention_causal",
    lambda *a: F.scaled_dot_product_attention(*a, is_causal=True) * 2,
    HEADS,
    HEADS,
    HEADS,
    dtype=HALF,
)
case("attention_by_hand", lambda q, k, v: ((q @ k.mT) * 0.1).softmax(-1) @ v, HEADS, HEADS, HEADS)
model("self_attention", lambda: _Attention(64, 4), (2, 32, 64), dtype=BF16)
model("transformer_layer", lambda: _Block(64, 4), (2, 32, 64), dtype=BF16)


class _Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        split = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(*split, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class _Block(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm, self.attention, self.mlp = nn.LayerNorm(width), _Attention(width, heads), _Residual(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mlp(x + self.attention(self.norm(x)))


# Convolutions and images
case("conv_relu", lambda x, w: F.relu(F.conv2d(x, w)), (4, 16, 32, 32), (32, 16, 3, 3))
case("conv_1d", lambda x, w: F.conv1d(x, w, padding=1).tanh(), (4, 16, 64), (32, 16, 3))
case("max_pool", lambda x: F.max_pool2d(x, 2), (4, 16, 32, 32))
case("avg_pool", lambda x: F.avg_pool2d(x, 2), (4, 16, 32, 32))
case("interpolate", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (2, 3, 16, 16))
model(
    "conv_net",
    lambda: nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1)),
    (2, 3, 16, 16),
)

# Indexing
CASES["embedding"] = lambda d: (
    F.embedding,
    (_ints(d, 1000, 64, 32), torch.randn(1000, 64, device=d, requires_grad=True)),
)
CASES["gather"] = lambda d: (
    lambda x, i: x.gather(1, i) * 2,
    (torch.randn(64, 128, device=d, requires_grad=True), _ints(d, 128, 64, 16)),
)
CASES["index_put"] = lambda d: (
    lambda x, i, v: x.index_put((i,), v, accumulate=True),
    (torch.randn(64, 128, device=d), _ints(d, 64, 32), torch.randn(32, 128, device=d)),
)
CASES["scatter_add"] = lambda d: (
    lambda x, i, v: x.scatter_add(0, i, v),
    (torch.randn(64, 128, device=d), _ints(d, 64, 32, 128), torch.randn(32, 128, device=d)),
)
CASES["index_select"] = lambda d: (
    lambda x, i: x[i].relu(),
    (torch.randn(64, 128, device=d, requires_grad=True), _ints(d, 64, 32)),
)

# Random numbers
case("dropout", lambda x: F.dropout(x, 0.3) * 2, SQUARE)
case("rand_like", lambda x: x + torch.rand_like(x), SQUARE)
case("randn_noise", lambda x: x + 0.1 * torch.randn(x.shape, device=x.device), (4096,))
model("dropout_mlp", lambda: nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1)), (32, 64))


# Mixed precision, control flow, factories, breaks, dynamic shapes
def _autocast(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    with torch.autocast(x.device.type, torch.bfloat16):
        return F.softmax(x @ w, -1)


def _cond(x: torch.Tensor) -> torch.Tensor:
    return torch.cond(x.sum() > 0, lambda x: x.sin() + 1, lambda x: x.cos() - 1, (x,))


def _break(x: torch.Tensor) -> torch.Tensor:
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos() * 2


case("autocast", _autocast, (64, 128), (128, 256))
case("mixed_dtypes", lambda x: (x.to(BF16) * 2).float() + x.to(HALF).float(), SQUARE)
case("cond", _cond, (1024,), grad=False)
case(
    "factories",
    lambda x: x + torch.arange(x.shape[0], device=x.device) * torch.ones(x.shape[0], device=x.device),
    (1024,),
)
case("causal_mask", lambda x: x.masked_fill(torch.ones_like(x).tril() == 0, float("-inf")).softmax(-1), (256, 256))
case("graph_break", _break, (1024,))
case("several_outputs", lambda x: (x.sin(), x.sum(-1), x.amax(0)), SQUARE)
case("foreach", lambda *p: torch._foreach_add(p, 1.0), (64,), (128,), (256,), grad=False)
case("dynamic_pointwise", lambda x: x.sin() * 2, (1000, 30))
case("dynamic_softmax", lambda x: x.softmax(-1), (100, 300))
case("dynamic_linear", lambda x, w: F.gelu(x @ w), (100, 30), (30, 50))
