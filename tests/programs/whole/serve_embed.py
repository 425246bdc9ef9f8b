"""An embedding service: a queue, two worker threads, one compiled model."""

import argparse
import json
import queue
import threading
import time

import torch

torch._dynamo.config.recompile_limit = 64  # one version for each length


class Encoder(torch.nn.Module):
    def __init__(self, vocabulary=1000, width=32):
        super().__init__()
        self.table = torch.nn.Embedding(vocabulary, width)
        self.mix = torch.nn.Linear(width, width)

    def forward(self, tokens):
        return torch.nn.functional.normalize(self.mix(self.table(tokens)).mean(0), dim=-1)


def worker(model, requests, answers):
    while (item := requests.get()) is not None:
        start = time.perf_counter()
        with torch.inference_mode():
            vector = model(torch.tensor(item["tokens"]))
        answers.append({"id": item["id"], "n": len(item["tokens"]), "ms": 1e3 * (time.perf_counter() - start)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=40)
    parser.add_argument("--longest", type=int, default=14)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = torch.compile(Encoder().eval(), dynamic=False)
    requests, answers = queue.Queue(), []
    threads = [threading.Thread(target=worker, args=(model, requests, answers)) for _ in range(args.threads)]
    for thread in threads:
        thread.start()
    for i in range(args.requests):
        requests.put({"id": i, "tokens": list(range(2 + i % args.longest))})
    for _ in threads:
        requests.put(None)
    for thread in threads:
        thread.join()
    for answer in answers[-8:]:
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
