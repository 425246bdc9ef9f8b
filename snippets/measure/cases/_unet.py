"""A UNet in the manner of Stable Diffusion's, smaller, and one denoising step."""

import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, before, after, time):
        super().__init__()
        self.norm1 = nn.GroupNorm(32, before)
        self.conv1 = nn.Conv2d(before, after, 3, padding=1)
        self.norm2 = nn.GroupNorm(32, after)
        self.conv2 = nn.Conv2d(after, after, 3, padding=1)
        self.time = nn.Linear(time, after)
        self.skip = nn.Conv2d(before, after, 1) if before != after else nn.Identity()

    def forward(self, x, time):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.time(F.silu(time))[:, :, None, None]
        return self.skip(x) + self.conv2(F.silu(self.norm2(h)))


class Attention(nn.Module):
    def __init__(self, width, context):
        super().__init__()
        self.heads = width // 64
        self.q = nn.Linear(width, width, bias=False)
        self.o = nn.Linear(width, width)
        self.k = nn.Linear(context, width, bias=False)
        self.v = nn.Linear(context, width, bias=False)

    def forward(self, x, context):
        q, k, v = (
            part.unflatten(2, (self.heads, 64)).transpose(1, 2)
            for part in (self.q(x), self.k(context), self.v(context))
        )
        attended = F.scaled_dot_product_attention(q, k, v)
        return self.o(attended.transpose(1, 2).flatten(2))


class Transformer(nn.Module):
    def __init__(self, width, context):
        super().__init__()
        self.norm = nn.GroupNorm(32, width)
        self.enter = nn.Linear(width, width)
        self.leave = nn.Linear(width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.self_attention = Attention(width, width)
        self.cross_attention = Attention(width, context)
        self.widen = nn.Linear(width, 8 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x, context):
        h = self.enter(self.norm(x).flatten(2).transpose(1, 2))
        n = self.norms[0](h)
        h = h + self.self_attention(n, n)
        h = h + self.cross_attention(self.norms[1](h), context)
        value, gate = self.widen(self.norms[2](h)).chunk(2, -1)
        h = self.leave(h + self.narrow(value * F.gelu(gate)))
        return x + h.transpose(1, 2).unflatten(2, x.shape[2:])


class UNet(nn.Module):
    def __init__(self, widths=(320, 640, 1280), context=768):
        super().__init__()
        time = 4 * widths[0]
        self.first = widths[0]
        self.embed = nn.Sequential(
            nn.Linear(widths[0], time), nn.SiLU(), nn.Linear(time, time)
        )
        self.enter = nn.Conv2d(4, widths[0], 3, padding=1)
        self.down = nn.ModuleList()
        self.up = nn.ModuleList()
        before = widths[0]
        for width in widths:
            residual = Residual(before, width, time)
            shrink = nn.Conv2d(width, width, 3, stride=2, padding=1)
            level = [residual, Transformer(width, context), shrink]
            self.down.append(nn.ModuleList(level))
            before = width
        residual = Residual(before, before, time)
        self.middle = nn.ModuleList([residual, Transformer(before, context)])
        for width in reversed(widths):
            grow = nn.Conv2d(before, before, 3, padding=1)
            residual = Residual(before + width, width, time)
            level = [grow, residual, Transformer(width, context)]
            self.up.append(nn.ModuleList(level))
            before = width
        self.norm = nn.GroupNorm(32, before)
        self.leave = nn.Conv2d(before, 4, 3, padding=1)

    def forward(self, x, step, context):
        half = self.first // 2
        frequencies = torch.exp(torch.arange(half, device=x.device) * (-9.21 / half))
        angles = step[:, None] * frequencies
        time = self.embed(torch.cat((angles.cos(), angles.sin()), -1).to(x.dtype))
        x = self.enter(x)
        kept = []
        for residual, transformer, shrink in self.down:
            x = transformer(residual(x, time), context)
            kept.append(x)
            x = shrink(x)
        residual, transformer = self.middle
        x = transformer(residual(x, time), context)
        for grow, residual, transformer in self.up:
            x = grow(F.interpolate(x, scale_factor=2.0))
            x = transformer(residual(torch.cat((x, kept.pop()), 1), time), context)
        return self.leave(F.silu(self.norm(x)))


def denoise(unet, latents, step, context, guidance=7.5, delta=-0.02):
    """One step with classifier-free guidance: the batch holds each image twice."""
    both = unet(torch.cat((latents, latents)), step, context)
    with_text, without = both.chunk(2)
    return latents + delta * (without + guidance * (with_text - without))


def inputs(device="cuda", dtype=torch.bfloat16, widths=(320, 640, 1280), size=64):
    """Return a UNet with random weights, and the arguments of ``denoise`` after it."""
    torch.manual_seed(0)
    with torch.device(device):
        unet = UNet(widths).to(dtype).eval()
        latents = torch.randn(1, 4, size, size, dtype=dtype)
        context = torch.randn(2, 77, 768, dtype=dtype)
        return unet, latents, torch.full((2,), 500.0), context


if __name__ == "__main__":  # compiles the step into the cache
    with torch.no_grad():
        unet, latents, *others = inputs()
        unet = unet.to(memory_format=torch.channels_last)
        latents = latents.to(memory_format=torch.channels_last)
        torch.compile(denoise)(unet, latents, *others)
        torch.cuda.synchronize()
