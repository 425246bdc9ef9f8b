"""The products of a decoder layer and of the head, by the Triton kernel."""

from _llama import Block
from _matvec import matvec


def layer(block, x, token, attend=Block.attend):
    qkv = product(block, "qkv", x, gain=block.gain1)
    x = product(block, "o", attend(block, *qkv.chunk(3), token), residual=x)
    hidden = product(block, "gate_up", x, gain=block.gain2, swiglu=True)
    return product(block, "down", hidden, residual=x)


def logits(decoder, x):
    return product(decoder, "head", x, gain=decoder.gain)


def product(owner, name, x, **options):
    """Multiply by a weight of bf16, or by codes of int8, which have a scale."""
    scale = getattr(owner, f"{name}_scale", None)
    return matvec(x, getattr(owner, name), scale=scale, **options)
