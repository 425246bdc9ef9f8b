"""A check of values inside a context manager of the program's own."""

import contextlib

import torch


@contextlib.contextmanager
def stage(name):
    yield name


@torch.compile(backend="eager")
def forward(x):
    with stage("relu"):
        y = x.relu()
        print("relu done")  # finding: skipped
        y = y * 2
    return y + 1


for _ in range(3):
    forward(torch.ones(4))
