# /// lesson
# needs = ["compiler"]
# timeout = 300
# ///
"""The same training: again, in a new process, and without caches."""

import warnings
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context

import torch
from torch import nn

from compile_lessons import Table, show


# region train
def train(compiled):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Dropout(0.1))
    run = torch.compile(model) if compiled else model
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(5):
        optimizer.zero_grad()
        run(torch.randn(256, 64)).square().mean().backward()
        optimizer.step()
    weights = nn.utils.parameters_to_vector(model.parameters())
    return sha256(weights.detach().numpy().tobytes()).hexdigest()[:8]


# endregion
def train_twice():
    train(compiled=True)
    return train(compiled=True)


def train_without_caches():
    warnings.simplefilter("ignore")  # torch says that caches are off
    torch.compiler.config.force_disable_caches = True
    return train(compiled=True)


def in_a_new_process(function, *arguments):
    torch.set_num_threads(1)
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        return process.submit(function, *arguments).result()


rows = [
    ["compiled", in_a_new_process(train, True)],
    ["in a second process, the second training", in_a_new_process(train_twice)],
    ["in a third process, without caches", in_a_new_process(train_without_caches)],
    ["eager mode", in_a_new_process(train, False)],
]
show(Table(["training", "hash of the weights"], rows))

# region checks
hashes = [row[1] for row in rows]
assert len(set(hashes[:3])) == 1
assert hashes[3] != hashes[0]
# endregion
