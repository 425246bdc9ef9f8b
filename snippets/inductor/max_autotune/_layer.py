"""A linear layer with GELU in bfloat16, and the seconds of its first calls in one mode, in a process that is new."""

import sys
from time import perf_counter

import torch
import torch.nn.functional as F

WIDTH, ROWS = 4096, (16, 8192)


def layer(x, weight, bias):
    return F.gelu(x @ weight + bias)


def inputs(rows):
    torch.manual_seed(0)
    with torch.device("cuda"):
        tensors = torch.randn(rows, WIDTH), torch.randn(WIDTH, WIDTH) / 64, torch.randn(WIDTH)
    return tuple(tensor.to(torch.bfloat16) for tensor in tensors)


if __name__ == "__main__":
    compiled = torch.compile(layer, mode=sys.argv[1], dynamic=False)
    layer(*inputs(16))  # loads CUDA and its libraries
    with torch.inference_mode():
        for rows in ROWS:
            began = perf_counter()
            compiled(*inputs(rows))
            torch.cuda.synchronize()
            print(perf_counter() - began)
