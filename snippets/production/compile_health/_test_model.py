"""Compile health of the classifier, called and trained as its users do."""

import torch
from model import Classifier


def batches(*sizes):
    return [(torch.randn(size, 16),) for size in sizes]


def test_calls(compile_health):
    model = Classifier()
    compile_health(model, batches(8, 8, 8, 5), package="model", recompiles=1)


def test_training(compile_health):
    model = torch.compile(Classifier())
    optimizer = torch.optim.AdamW(model.parameters())

    def step(x):
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    compile_health(step, batches(8, 8, 8, 5), package="model", recompiles=1)
