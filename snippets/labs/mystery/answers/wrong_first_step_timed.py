# one of your later steps takes about 1 s

import math
import time
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

FEATURES, WIDTH, CLASSES = 20, 32, 4
LIMIT = 5.0  # larger features are measurement errors, and are clipped
WARMUP = 5  # steps until the second layer takes part in full
RATE, MOMENTUM = 0.2, 0.9


@dataclass
class Log:
    """The numbers of one training."""

    losses: list = field(default_factory=list)  # one for each step
    activities: list = field(default_factory=list)  # one for each step: the mean size of a hidden value
    rates: list = field(default_factory=list)  # one for each step: the learning rate
    accuracies: list = field(default_factory=list)  # one for each epoch, on the validation data
    seconds_per_step: float = 0.0  # what a step costs once everything is compiled


def clip(x):
    """Limit the features: one that is not beyond the limit stays as it is."""
    return x.clamp(-LIMIT, LIMIT)


class Net(torch.nn.Module):
    """A classifier whose second layer comes in slowly."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(FEATURES, WIDTH)
        self.second = torch.nn.Linear(WIDTH, WIDTH)
        self.last = torch.nn.Linear(WIDTH, CLASSES)
        self.register_buffer("steps", torch.tensor(0.0))  # training steps so far
        self.activity = 0.0  # of the last batch, for the log

    def logits(self, x):
        hidden = torch.tanh(self.first(clip(x)))
        share = (self.steps / WARMUP).clamp(max=1.0)
        hidden = hidden + share * torch.tanh(self.second(hidden))
        self.activity = hidden.detach().abs().mean()
        return self.last(hidden)

    def forward(self, x, y):
        """Return the loss of one batch."""
        if self.training:
            self.steps += 1
        return F.cross_entropy(self.logits(x), y)

    def accuracy(self, x, y):
        """Return which part of a batch is classified rightly."""
        return (self.logits(x).argmax(dim=1) == y).float().mean()


def rate_factor(step, steps):
    """Return the cosine schedule's factor: from 1 in the first step down to 0."""
    return (1 + math.cos(math.pi * step / steps)) / 2


def validate(model, compiled_accuracy, validation):
    """Return the accuracy on the validation data."""
    model.eval()
    with torch.no_grad():
        accuracy = compiled_accuracy(*validation)
    model.train()
    return accuracy


def train(model, batches, validation, epochs=1, backend="inductor"):
    """Train `model` on a list of batches, pairs of features and classes. Return the log."""
    log, steps = Log(), epochs * len(batches)
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE, momentum=MOMENTUM)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_factor(step, steps))
    compiled = torch.compile(model, backend=backend)
    compiled_accuracy = torch.compile(model.accuracy, backend=backend)

    for _ in range(epochs):
        start = time.perf_counter()
        for x, y in batches:
            optimizer.zero_grad()
            loss = compiled(x, y)
            loss.backward()
            optimizer.step()
            log.losses.append(loss.detach())
            log.activities.append(model.activity)
            log.rates.append(schedule.get_last_lr()[0])
            schedule.step()
        log.seconds_per_step = (time.perf_counter() - start) / len(batches)
        log.accuracies.append(validate(model, compiled_accuracy, validation))
    return log
