"""A UNet in the manner of Stable Diffusion's, smaller, and one denoising step."""

import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, before, after, time):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(32, before), nn.Conv2d(before, after, 3, padding=1)
        self.norm2, self.conv2 = nn.GroupNorm(32, after), nn.Conv2d(after, after, 3, padding=1)
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
        self.q, self.o = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.k, self.v = nn.Linear(context, width, bias=False), nn.Linear(context, width, bias=False)

    def forward(self, x, context):
        parts = (
            part.unflatten(2, (self.heads, 64)).transpose(1, 2)
            for part in (self.q(x), self.k(context), self.v(context))
        )
        return self.o(F.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2))


class Transformer(nn.Module):
    def __init__(self, width, context):
        super().__init__()
        self.norm, self.enter, self.leave = nn.GroupNorm(32, width), nn.Linear(width, width), nn.Linear(width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.self_attention, self.cross_attention = Attention(width, width), Attention(width, context)
        self.widen, self.narrow = nn.Linear(width, 8 * width), nn.Linear(4 * width, width)

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
        self.embed = nn.Sequential(nn.Linear(widths[0], time), nn.SiLU(), nn.Linear(time, time))
        self.enter = nn.Conv2d(4, widths[0], 3, padding=1)
        self.down, self.up, before = nn.ModuleList(), nn.ModuleList(), widths[0]
        for width in widths:
            shrink = nn.Conv2d(width, width, 3, stride=2, padding=1)
            self.down.append(nn.ModuleList([Residual(before, width, time), Transformer(width, context), shrink]))
            before = width
        self.middle = nn.ModuleList([Residual(before, before, time), Transformer(before, context)])
        for width in reversed(widths):
            grow = nn.Conv2d(before, before, 3, padding=1)
            self.up.append(nn.ModuleList([grow, Residual(before + width, width, time), Transformer(width, context)]))
            before = width
        self.norm, self.leave = nn.GroupNorm(32, before), nn.Conv2d(before, 4, 3, padding=1)

    def forward(self, x, step, context):
        frequencies = torch.exp(torch.arange(self.first // 2, device=x.device) * (-9.21 / (self.first // 2)))
        angles = step[:, None] * frequencies
        time = self.embed(torch.cat((angles.cos(), angles.sin()), -1).to(x.dtype))
        x, kept = self.enter(x), []
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
    with_text, without = unet(torch.cat((latents, latents)), step, context).chunk(2)
    return latents + delta * (without + guidance * (with_text - without))


def inputs(device="cuda", dtype=torch.bfloat16, widths=(320, 640, 1280), size=64):
    """Return a UNet with random weights, and the arguments of ``denoise`` after it."""
    torch.manual_seed(0)
    with torch.device(device):
        unet = UNet(widths).to(dtype).eval()
        latents, context = torch.randn(1, 4, size, size, dtype=dtype), torch.randn(2, 77, 768, dtype=dtype)
        return unet, latents, torch.full((2,), 500.0), context


if __name__ == "__main__":  # compiles the step into the cache
    with torch.no_grad():
        unet, latents, *others = inputs()
        channels_last = (part.to(memory_format=torch.channels_last) for part in (unet, latents))
        torch.compile(denoise)(*channels_last, *others)
        torch.cuda.synchronize()
