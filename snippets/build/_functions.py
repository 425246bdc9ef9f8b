"""Ten functions to measure backends with: five pointwise, five that reduce rows."""

import torch
import torch.nn.functional as F


def chain(x, y, bias):
    return torch.relu(x * y + 1.5) * 0.5 - x / 3 + y * y


def gelu(x, y, bias):
    return F.gelu(x)


def swiglu(x, y, bias):
    return F.silu(x) * y


def bias_gelu_residual(x, y, bias):
    return F.gelu(x + bias, approximate="tanh") + y


def clipped_update(x, y, bias):
    return torch.where(y > 0, x.clamp(-1, 1) * 0.9 + y * 0.1, x)


def softmax(x, y, bias):
    return F.softmax(x, -1)


def masked_softmax(x, y, bias):
    return F.softmax((x * 0.125).masked_fill(y < 0, -1e9), -1)


def layer_norm(x, y, bias):
    return F.layer_norm(x + y, x.shape[-1:], bias, bias)


def rms_norm(x, y, bias):
    return F.rms_norm(x, x.shape[-1:], bias)


def row_error(x, y, bias):
    return (x - y).square().mean(-1)


POINTWISE = (chain, gelu, swiglu, bias_gelu_residual, clipped_update)
FUNCTIONS = (*POINTWISE, softmax, masked_softmax, layer_norm, rms_norm, row_error)


def inputs(rows, columns, **options):
    return (
        torch.randn(rows, columns, **options),
        torch.randn(rows, columns, **options),
        torch.randn(columns, **options),
    )
