"""A server raises the recompile limit when it starts, and its worker thread doesn't see it."""

import threading

import torch

torch._dynamo.config.recompile_limit = 64


@torch.compile(dynamic=False, backend="eager")  # finding: limit-in-thread
def embed(tokens):
    return torch.cumsum(tokens, 0)


def serve():
    for size in range(2, 14):
        embed(torch.ones(size, 4))


worker = threading.Thread(target=serve)
worker.start()
worker.join()
