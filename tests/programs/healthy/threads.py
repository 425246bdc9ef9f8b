"""Two threads use one compiled model."""

import threading

import torch

model = torch.compile(torch.nn.Linear(4, 4).eval(), backend="eager")


def serve():
    with torch.inference_mode():
        for _ in range(5):
            model(torch.ones(2, 4))


threads = [threading.Thread(target=serve) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
