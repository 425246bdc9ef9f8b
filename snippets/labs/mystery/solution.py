# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""A mystery: this script trains as it should, but compiled code runs only in
its first steps. Find six faults.

Each fault costs time or memory, or makes a number in the log differ from what
its comment says. Fix them all:

- The losses, activities, rates and accuracies in the log stay the same, as
  floats or as tensors.
- Keep `Net()`, its three layers, the fields of `Log`, and `train` with its
  arguments. You can change everything else.
- Code that runs compiled must stay compiled, and validation has to run
  compiled, too.

The checks train for one epoch with their own backend. They tell you how many
faults are gone and describe one more.
"""

import math
import statistics
import time
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

from compile_lessons.labs import check

FEATURES = 20
WIDTH = 32
CLASSES = 4
LIMIT = 5.0  # larger features are measurement errors, and are clipped
WARMUP = 5  # steps until the second layer counts in full
RATE = 0.2
MOMENTUM = 0.9


@dataclass
class Log:
    """The numbers from one training run."""

    losses: list = field(default_factory=list)  # one per step
    # one per step: the mean size of a hidden value
    activities: list = field(default_factory=list)
    rates: list = field(default_factory=list)  # one per step: the learning rate
    # one per epoch, on the validation data
    accuracies: list = field(default_factory=list)
    seconds_per_step: float = 0.0  # the time of a step once everything is compiled


def clip(x):
    """Limit the features: one that is not beyond the limit stays as it is."""
    return x.clamp(-LIMIT, LIMIT)


class Net(torch.nn.Module):
    """A classifier whose second layer is phased in."""

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
        return F.cross_entropy(self.logits(x), y)

    def accuracy(self, x, y):
        """Return the fraction of a batch that is classified correctly."""
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
    """Train `model` on batches: pairs of features and classes. Return the log."""
    log = Log()
    steps = epochs * len(batches)
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE, momentum=MOMENTUM)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: rate_factor(step, steps)
    )
    compiled = torch.compile(model, backend=backend)
    compiled_accuracy = torch.compile(model.accuracy, backend=backend)

    for _ in range(epochs):
        seconds = []
        for x, y in batches:
            start = time.perf_counter()
            optimizer.zero_grad()
            model.steps += 1  # outside of compiled code
            loss = compiled(x, y)
            loss.backward()
            optimizer.step()
            log.losses.append(loss.detach())
            log.activities.append(model.activity)
            log.rates.append(schedule.get_last_lr()[0])
            schedule.step()
            seconds.append(time.perf_counter() - start)
        log.seconds_per_step = statistics.median(seconds)
        log.accuracies.append(validate(model, compiled_accuracy, validation))
    return log


def draw(rows, centers):
    """Return random features and their classes. One feature in 500 is an error."""
    classes = torch.randint(CLASSES, (rows,))
    features = centers[classes] + torch.randn(rows, FEATURES)
    return torch.where(torch.rand(rows, FEATURES) < 0.002, 100.0, features), classes


def main(backend="inductor"):
    """Train on random data, and print the log. The checks don't call this."""
    centers = torch.randn(CLASSES, FEATURES)
    batches = [draw(64, centers) for _ in range(50)]
    log = train(Net(), batches, draw(500, centers), epochs=4, backend=backend)
    for epoch, accuracy in enumerate(log.accuracies, 1):
        mean = sum(log.losses[50 * (epoch - 1) : 50 * epoch]) / 50
        print(f"epoch {epoch}: mean loss {mean:.3f}, accuracy {accuracy:.3f}")
    print(f"{1000 * log.seconds_per_step:.2f} ms per step")


if __name__ == "__main__":
    check("mystery", __file__)
