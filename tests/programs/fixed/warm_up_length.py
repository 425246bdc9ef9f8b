"""A service warms up with two lengths, which makes the length dynamic; the requests are in a worker."""

import queue
import threading

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(100, 16), nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 5)).eval()
tag = torch.compile(model)
requests = queue.Queue()


def serve():
    with torch.inference_mode():
        while (tokens := requests.get()) is not None:
            tag(torch.tensor(tokens))


with torch.inference_mode():
    for length in (8, 16):
        tag(torch.zeros(length, dtype=torch.long))
worker = threading.Thread(target=serve, name="worker")
worker.start()
for length in (8, 8, 16, 12, 16, 9, 30):
    requests.put(list(range(length)))
requests.put(None)
worker.join()
