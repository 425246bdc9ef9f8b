# /// lesson
# needs = ["compiler"]
# ///
"""Python's random numbers: Inductor declares them float32, and gets a float64 tensor."""

import random

import torch

from compile_lessons import Table, show

generator = random.Random(0)


def draws(x):
    return x * random.uniform(0.5, 1.5)


def draws_from_object(x):
    return x * generator.uniform(0.5, 1.5)


def takes(x, gain):
    return x * gain


def three_calls(function, *draw):
    random.seed(0)
    generator.seed(0)
    return [function(torch.ones(4), *[d() for d in draw])[0].item() for _ in range(3)]


results = {
    "draws, in eager mode": three_calls(draws),
    "draws, compiled": three_calls(torch.compile(draws)),
    "draws_from_object, aot_eager": three_calls(torch.compile(draws_from_object, backend="aot_eager")),
    "takes, compiled": three_calls(torch.compile(takes), lambda: torch.tensor(random.uniform(0.5, 1.5))),
}
rows = [[name, *(f"{number:.4g}" for number in numbers)] for name, numbers in results.items()]
show(Table(["function", "first call", "second call", "third call"], rows))
# region checks
eager, wrong, repeated, right = results.values()
assert right == eager != wrong and len(set(eager)) == 3
assert repeated == [eager[0]] * 3
# endregion
