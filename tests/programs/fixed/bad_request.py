"""A worker thread refuses a token that the table does not have."""

import queue
import threading

import torch

table = torch.nn.Embedding(10, 4)
requests = queue.Queue()


@torch.compile
def embed(tokens):
    return table(tokens).mean(0)


def serve():
    with torch.inference_mode():
        while (tokens := requests.get()) is not None:
            if max(tokens) < table.num_embeddings:
                embed(torch.tensor(tokens))


worker = threading.Thread(target=serve, name="worker")
worker.start()
for tokens in ([1, 2, 3], [4, 5, 6], [7, 8, 99], None):
    requests.put(tokens)
worker.join()
