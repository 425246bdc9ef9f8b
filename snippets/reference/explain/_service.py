"""An embedding service: its thread compiles one version for each length."""

import threading

import torch

torch._dynamo.config.recompile_limit = 64


@torch.compile(dynamic=False, backend="eager")
def embed(tokens):
    return torch.nn.functional.normalize(tokens.cumsum(0), dim=-1)


def serve(requests):
    with torch.inference_mode():
        for tokens in requests:
            embed(tokens)


def main():
    requests = [torch.ones(n, 4) for n in range(2, 12)]
    worker = threading.Thread(target=serve, args=[requests])
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
