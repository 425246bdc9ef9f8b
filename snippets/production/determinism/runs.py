# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""The same five training steps: again in the same process, in a new process, and without caches."""

import warnings
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context

import torch

from compile_lessons import Table, show


def train(compiled=True, caches=True, times=1):
    warnings.simplefilter("ignore")  # torch says that caches are off
    torch.set_num_threads(1)
    torch.compiler.config.force_disable_caches = not caches
    for _ in range(times):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Dropout(0.1))
        run = torch.compile(model) if compiled else model
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        for _ in range(5):
            optimizer.zero_grad()
            run(torch.randn(256, 64)).square().mean().backward()
            optimizer.step()
    return sha256(b"".join(weight.detach().numpy().tobytes() for weight in model.parameters())).hexdigest()[:8]


cases = {
    "compiled": {},
    "in a second process, the second training": {"times": 2},
    "in a third process, without caches": {"caches": False},
    "eager mode": {"compiled": False},
}
hashes = {}
for name, settings in cases.items():
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        hashes[name] = process.submit(train, **settings).result()
show(Table(["training", "hash of the weights"], hashes.items()))
# region checks
values = list(hashes.values())
assert len(set(values[:3])) == 1 and values[3] != values[0]
# endregion
