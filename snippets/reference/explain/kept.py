"""A service raises the recompile limit, and its thread still stops at 8 versions."""

import threading

import torch
from _command import typed

torch._dynamo.config.recompile_limit = 64


@torch.compile(dynamic=False, backend="eager")
def embed(tokens):
    return torch.nn.functional.normalize(tokens.cumsum(0), dim=-1)


def make_calls():
    return [torch.ones(n, 4) for n in range(2, 12)]


def serve():
    with torch.inference_mode():
        for tokens in make_calls():
            embed(tokens)


def main():
    worker = threading.Thread(target=serve)
    worker.start()
    worker.join()


if __name__ == "__main__":
    status = typed(f"{__file__}:embed", "--calls", "make_calls")

# region checks
if __name__ == "__main__":
    assert status == 1
# endregion
