"""Embed requests of different lengths in a worker thread."""

import queue
import threading

import torch

torch._dynamo.config.recompile_limit = 64  # one version for each length
model = torch.nn.Sequential(torch.nn.Embedding(100, 8), torch.nn.Linear(8, 8))
embed = torch.compile(model, dynamic=False)
requests = queue.Queue()


def serve():
    for tokens in iter(requests.get, None):
        with torch.inference_mode():
            embed(torch.tensor(tokens)).mean(0)


worker = threading.Thread(target=serve)
worker.start()
for number in range(36):
    requests.put(list(range(2 + number % 12)))
requests.put(None)
worker.join()
