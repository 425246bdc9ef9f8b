"""The limit is part of the use of torch.compile, so it holds in every thread."""

import threading

import torch


@torch.compile(dynamic=False, backend="eager", recompile_limit=64)
def embed(tokens):
    return torch.cumsum(tokens, 0)


def serve():
    for size in range(2, 14):
        embed(torch.ones(size, 4))


worker = threading.Thread(target=serve)
worker.start()
worker.join()
