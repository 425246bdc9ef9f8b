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
#: Cases that are compiled with ``dynamic=True``: those whose name begins so.
DYNAMIC = "dynamic_"


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

# More of the same kinds
case("elu", lambda x: F.elu(x) + F.selu(x), SQUARE)
case("softplus", lambda x: F.softplus(x) * x.sigmoid(), SQUARE)
case("hardswish", lambda x: F.hardswish(x) + F.hardsigmoid(x), SQUARE)
case("leaky_relu", lambda x: F.leaky_relu(x, 0.1) + F.relu6(x), SQUARE)
case("prelu", F.prelu, (64, 32, 8), (32,))
case("glu", lambda x: F.glu(x), SQUARE)
case("erf_log", lambda x: x.erf() + x.abs().add(1).log(), SQUARE)
case("atan2", lambda x, y: torch.atan2(x, y), SQUARE, SQUARE)
case("remainder", lambda x, y: torch.remainder(x, y) + torch.fmod(x, y), SQUARE, SQUARE, grad=False)
case("lerp", lambda x, y, w: torch.lerp(x, y, w.sigmoid()), SQUARE, SQUARE, SQUARE)
case("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=0.5), SQUARE, SQUARE, SQUARE)
case("hypot_sign", lambda x, y: torch.hypot(x, y) * x.sign(), SQUARE, SQUARE)
case("sin_half", lambda x: x.sin().rsqrt(), SQUARE, dtype=HALF, grad=False)
case("float64", lambda x: x.exp().mean(-1), (256, 256), dtype=torch.float64)
case("strided_input", lambda x: x[::2, 1::3].relu() * 2, SQUARE)
case("transposed_input", lambda x: x.t().exp().sum(-1), (512, 256))
case("expanded", lambda x: x.expand(64, 128).sin() + 1, (1, 128))
case("permuted", lambda x: x.permute(2, 0, 1).contiguous() * 3, (16, 32, 64))
case("triu_diagonal", lambda x: x.triu() + x.diagonal().diag_embed(), (128, 128))
case("repeat_interleave", lambda x: x.repeat_interleave(4, 1) * 2, (16, 32))
case("tile", lambda x: x.tile(2, 3).exp(), (16, 32))
case("pixel_shuffle", lambda x: F.pixel_shuffle(x, 2).relu(), (2, 16, 8, 8))
case("chunk", lambda x: torch.cat([part * 2 for part in x.chunk(4, 1)], 0), (64, 64))
case("unbind_stack", lambda x: torch.stack([row.tanh() for row in x.unbind(0)], 1), (4, 256))
case("complex_mask", lambda x: torch.where((x > 0) & (x < 1), x.square(), 0.5), SQUARE)
CASES["one_hot"] = lambda d: (lambda i: F.one_hot(i, 16).float() * 2, (_ints(d, 16, 256),))
CASES["uint8_image"] = lambda d: (lambda x: (x.float() / 255 - 0.5) / 0.25, (_ints(d, 255, 3, 32, 32).to(torch.uint8),))
CASES["int8_dequantize"] = lambda d: (
    lambda q, s: q.to(BF16) * s,
    (_ints(d, 127, 256, 512).to(torch.int8), torch.randn(256, 1, device=d, dtype=BF16)),
)
CASES["int_divide"] = lambda d: (lambda x, y: (x // (y + 1)) % 7, (_ints(d, 999, 4096), _ints(d, 9, 4096)))

# Losses
case("mse", F.mse_loss, SQUARE, SQUARE)
case("smooth_l1", F.smooth_l1_loss, SQUARE, SQUARE)
case("huber", F.huber_loss, SQUARE, SQUARE)
case("bce_logits", lambda x, y: F.binary_cross_entropy_with_logits(x, y.sigmoid()), SQUARE, SQUARE)
case("kl_div", lambda x, y: F.kl_div(x.log_softmax(-1), y.softmax(-1), reduction="batchmean"), (64, 512), (64, 512))
case("cosine", lambda x, y: F.cosine_similarity(x, y), (128, 512), (128, 512))
CASES["label_smoothing"] = lambda d: (
    lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1, ignore_index=0),
    (torch.randn(256, 1000, device=d, requires_grad=True), _ints(d, 1000, 256)),
)
CASES["cross_entropy_bf16"] = lambda d: (
    lambda x, y: F.cross_entropy(x.float(), y),
    (torch.randn(512, 5000, device=d, dtype=BF16, requires_grad=True), _ints(d, 5000, 512)),
)
CASES["nll_2d"] = lambda d: (
    lambda x, y: F.nll_loss(x.log_softmax(1), y),
    (torch.randn(2, 8, 16, 16, device=d, requires_grad=True), _ints(d, 8, 2, 16, 16)),
)

# More reductions and scans
case("prod", lambda x: x.prod(-1), (64, 64))
case("min_max", lambda x: x.min(-1).values + x.max(0).values, (512, 512))
case("std_mean", lambda x: torch.std_mean(x, -1), (256, 1024))
case("norm_1", lambda x: x.norm(p=1, dim=-1), SQUARE)
case("normalize", lambda x: F.normalize(x, dim=1), (64, 256, 4))
case("sum_middle", lambda x: x.sum(1), (32, 512, 64))
case("sum_bf16", lambda x: x.sum(-1), (512, 4096), dtype=BF16)
case("mean_two", lambda x: x.mean((0, 2)), (16, 64, 256))
case("all_bf16", lambda x: x.square().mean(), (4096, 4096), dtype=BF16)
case("cumsum_first", lambda x: x.cumsum(0), (512, 64))
case("logcumsumexp", lambda x: x.logcumsumexp(-1), (64, 256), grad=False)
case("argsort", lambda x: x.argsort(-1), (64, 128), grad=False)
case("topk", lambda x: x.topk(8, -1).values * 2, (64, 512))
case("softmax_first", lambda x: x.softmax(0), (512, 128))
case("softmax_scaled", lambda x: (x * 0.125 + 1).softmax(-1).relu(), (256, 2048))
case("two_softmax", lambda x: x.softmax(-1) + x.log_softmax(-1), (256, 1024))

# More norms
case("layer_norm_plain", lambda x: F.layer_norm(x, (512,)), (256, 512))
case("layer_norm_long", lambda x, w: F.layer_norm(x, (16384,), w), (64, 16384), (16384,))
case("layer_norm_half", lambda x, w: F.layer_norm(x, (768,), w), (512, 768), (768,), dtype=HALF)
case("rms_norm_bf16", lambda x, w: F.rms_norm(x, (2048,), w), (256, 2048), (2048,), dtype=BF16)
case("instance_norm", lambda x: F.instance_norm(x), (4, 8, 16, 16))
case("group_norm_bf16", lambda x, w, b: F.group_norm(x, 4, w, b), (2, 16, 8, 8), (16,), (16,), dtype=BF16)
case("local_response", lambda x: F.local_response_norm(x, 5), (2, 16, 8, 8))
model("batch_norm_bf16", lambda: nn.BatchNorm2d(16), (4, 16, 8, 8), dtype=BF16)
model("batch_norm_1d", lambda: nn.BatchNorm1d(64), (32, 64))

# More products
case("matmul_3d", lambda a, b: (a @ b).sigmoid(), (4, 32, 64), (64, 48))
case("baddbmm", lambda x, a, b: torch.baddbmm(x, a, b, beta=0.5).relu(), (4, 16, 8), (4, 16, 32), (4, 32, 8))
case("outer", lambda a, b: torch.outer(a, b).tanh(), (256,), (512,))
case("matrix_vector", lambda a, b: torch.mv(a, b).relu(), (512, 256), (256,))
case("dot", lambda a, b: torch.dot(a, b) * 2, (1024,), (1024,))
case("two_products", lambda x, a, b: (x @ a).relu() @ b, (64, 128), (128, 256), (256, 64), dtype=BF16)
case("bilinear", F.bilinear, (32, 16), (32, 8), (4, 16, 8))
case("product_of_sums", lambda a, b: (a + 1) @ (b * 2).t(), (64, 128), (32, 128), dtype=HALF)
model("tied", lambda: _Tied(256, 64), (4, 16))

# More attention
MASK = (1, 1, 128, 128)


def _bool_mask(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    mask = torch.ones(128, 128, dtype=torch.bool, device=q.device).tril()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def _rope(x: torch.Tensor) -> torch.Tensor:
    angles = torch.arange(x.shape[-2], device=x.device)[:, None] * 0.01
    left, right = x.chunk(2, -1)
    return torch.cat([left * angles.cos() - right * angles.sin(), right * angles.cos() + left * angles.sin()], -1)


def _flex(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    from torch.nn.attention.flex_attention import flex_attention

    return flex_attention(q, k, v, score_mod=lambda score, b, h, i, j: score + (i - j) * 0.1)


def _channels_last(x: torch.Tensor) -> torch.Tensor:
    return x.to(memory_format=torch.channels_last)


def _cache_update(cache: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    cache[:, :, 5:6] = new
    return cache.sum(-1)


case("attention_mask", F.scaled_dot_product_attention, HEADS, HEADS, HEADS, MASK, dtype=BF16)
case("attention_bool_mask", _bool_mask, HEADS, HEADS, HEADS, dtype=BF16)
case(
    "attention_repeated",
    lambda q, k: F.scaled_dot_product_attention(q, k, k, enable_gqa=True),
    HEADS,
    (2, 2, 128, 64),
    dtype=BF16,
)
case("attention_half_scale", lambda *a: F.scaled_dot_product_attention(*a, scale=0.5), HEADS, HEADS, HEADS, dtype=HALF)
case("attention_rope", lambda q, k, v: F.scaled_dot_product_attention(_rope(q), _rope(k), v), HEADS, HEADS, HEADS)
case("rope", _rope, HEADS, dtype=BF16)
case("flex_attention", _flex, (1, 2, 256, 64), (1, 2, 256, 64), (1, 2, 256, 64), grad=False)
case("cache_update", _cache_update, (2, 4, 16, 8), (2, 4, 1, 8), grad=False)
model("encoder_layer", lambda: nn.TransformerEncoderLayer(64, 4, 128, 0.0, batch_first=True), (2, 16, 64))
model("multihead", lambda: _SelfMultihead(64, 4), (2, 16, 64))

# More convolutions and images
case("conv_transpose", lambda x, w: F.conv_transpose2d(x, w, stride=2).relu(), (2, 16, 8, 8), (16, 8, 3, 3))
case("conv_3d", lambda x, w: F.conv3d(x, w).relu(), (2, 4, 8, 8, 8), (8, 4, 3, 3, 3))
case("depthwise", lambda x, w: F.conv2d(x, w, groups=16, padding=1).relu(), (2, 16, 16, 16), (16, 1, 3, 3))
case("grouped", lambda x, w, b: F.conv2d(x, w, b, groups=4), (2, 16, 16, 16), (32, 4, 3, 3), (32,))
case("conv_bf16", lambda x, w: F.silu(F.conv2d(x, w, padding=1)), (2, 16, 16, 16), (16, 16, 3, 3), dtype=BF16)
case("avg_pool_1d", lambda x: F.avg_pool1d(x, 4).tanh(), (4, 16, 64))
case("adaptive_pool", lambda x: F.adaptive_avg_pool2d(x, 7), (2, 16, 14, 14))
case("max_pool_padded", lambda x: F.max_pool2d(x, 3, 2, 1).relu(), (2, 16, 16, 16))
case("nearest", lambda x: F.interpolate(x, scale_factor=2), (2, 8, 16, 16))
case("bicubic", lambda x: F.interpolate(x, size=(24, 24), mode="bicubic"), (1, 3, 16, 16), grad=False)
case("nearest_last", lambda x: F.interpolate(_channels_last(x), scale_factor=2), (2, 8, 16, 16), grad=False)
case("bilinear_last", lambda x: F.interpolate(_channels_last(x), size=24, mode="bilinear"), (2, 8, 16, 16), grad=False)
case("conv_3d_half", lambda x, w: F.conv3d(x, w).relu(), (2, 4, 8, 8, 8), (8, 4, 3, 3, 3), dtype=torch.float16)
case("reflect", lambda x: F.pad(x, (2, 2, 2, 2), mode="reflect").sin(), (2, 3, 16, 16))
case("replicate", lambda x: F.pad(x, (1, 1, 1, 1), mode="replicate") * 2, (2, 3, 16, 16))
model("residual_conv", lambda: _ResidualConv(16), (2, 16, 16, 16))
model("squeeze_excite", lambda: _Squeeze(16), (2, 16, 8, 8))
model("patches", lambda: nn.Sequential(nn.Conv2d(3, 32, 4, 4), nn.Flatten(2), nn.GELU()), (2, 3, 32, 32))

# Cells, routing, lookups
model("lstm_cell", lambda: _FirstOf(nn.LSTMCell(16, 32)), (4, 16))
model("gru_cell", lambda: nn.GRUCell(16, 32), (4, 16))
model("rnn_cell", lambda: nn.RNNCell(16, 32), (4, 16))
model("mixture", lambda: _Mixture(32, 4), (16, 32))
CASES["index_copy"] = lambda d: (
    lambda x, i, v: x.index_copy(0, i, v).relu(),
    (torch.randn(64, 32, device=d), torch.arange(8, device=d), torch.randn(8, 32, device=d)),
)
CASES["take_along"] = lambda d: (
    lambda x: x.take_along_dim(x.argmax(-1, keepdim=True), -1) * 2,
    (torch.randn(64, 128, device=d),),
)
CASES["bucketize"] = lambda d: (
    lambda x, b: torch.bucketize(x, b),
    (torch.randn(4096, device=d), torch.linspace(-2, 2, 16, device=d)),
)
CASES["masked_sum"] = lambda d: (
    lambda x, i: x.masked_fill(i == 0, 0).sum(-1),
    (torch.randn(64, 128, device=d, requires_grad=True), _ints(d, 2, 64, 128)),
)
CASES["embedding_mean"] = lambda d: (
    lambda i, w: F.embedding(i, w).mean(1),
    (_ints(d, 100, 32, 8), torch.randn(100, 64, device=d, requires_grad=True)),
)

# More precision, transforms, optimizers, dynamic sizes


def _autocast_half(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    with torch.autocast(x.device.type, HALF):
        return F.layer_norm(F.linear(x, w, b), (64,)).sum()


def _autocast_loss(x: torch.Tensor, w: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    with torch.autocast(x.device.type, BF16):
        return F.mse_loss(F.gelu(x @ w), y)


def _checkpointed(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    from torch.utils.checkpoint import checkpoint

    return checkpoint(lambda x, w: (x @ w).sin().exp(), x, w, use_reentrant=False)


def _optimizer_step(kind: type[torch.optim.Optimizer], **options: Any) -> Case:
    def make(device: str) -> tuple[Any, ...]:
        parameters = [nn.Parameter(torch.randn(64, 64, device=device)), nn.Parameter(torch.randn(64, device=device))]
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter)
        return kind(parameters, lr=0.1, **options).step, ()

    return make


case("autocast_half", _autocast_half, (32, 128), (64, 128), (64,))
case("autocast_loss", _autocast_loss, (32, 128), (128, 64), (32, 64))
case("checkpoint", _checkpointed, (64, 64), (64, 64))
case("vmap", lambda x, w: torch.vmap(lambda row: (row * w).sum())(x), (64, 128), (128,))
case("func_grad", lambda x: torch.func.grad(lambda x: x.sin().square().sum())(x), (1024,), grad=False)
CASES["sgd_step"] = _optimizer_step(torch.optim.SGD, momentum=0.9)
CASES["adamw_step"] = _optimizer_step(torch.optim.AdamW)
case("foreach_norm", lambda *p: torch.stack(torch._foreach_norm(p)), (64, 64), (128,), (256,), grad=False)
case("dynamic_layer_norm", lambda x, w: F.layer_norm(x, (256,), w), (100, 256), (256,))
case("dynamic_sum", lambda x: x.sum(-1) + x.amax(-1), (100, 300), grad=False)
case("dynamic_cat", lambda x, y: torch.cat([x, y], 0).relu(), (30, 20), (50, 20))
case("dynamic_mean_all", lambda x: x.square().mean(), (100, 300))
model("dynamic_mlp", lambda: nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64)), (30, 64))


class _FirstOf(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)[0]


class _SelfMultihead(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.attention(x, x, x, need_weights=False)[0]


class _Tied(nn.Module):
    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.table = nn.Embedding(words, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.table(x.abs().long()) @ self.table.weight.t()


class _ResidualConv(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.norm(self.conv(x)))


class _Squeeze(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.down, self.up = nn.Linear(channels, 4), nn.Linear(4, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.up(F.relu(self.down(x.mean((2, 3))))).sigmoid()[:, :, None, None]


class _Mixture(nn.Module):
    def __init__(self, width: int, experts: int) -> None:
        super().__init__()
        self.route = nn.Linear(width, experts)
        self.experts = nn.Parameter(torch.randn(experts, width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weights, chosen = self.route(x).softmax(-1).topk(2, -1)
        mixed = torch.einsum("tw,tkwo->tko", x, self.experts[chosen])
        return (mixed * weights[..., None]).sum(1)
