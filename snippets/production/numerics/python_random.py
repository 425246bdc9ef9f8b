# /// lesson
# needs = ["compiler"]
# ///
"""Python's random numbers: Inductor's kernel reads a float64 tensor as float32."""

import random

import torch

from compile_lessons import Table, show

generator = random.Random(0)


# region functions
def augment(x):
    return x * random.uniform(0.5, 1.5)


def augment_from_object(x):
    return x * generator.uniform(0.5, 1.5)


def augment_by(x, gain):
    return x * gain


# endregion
# region calls
def three_calls(function):
    random.seed(0)
    generator.seed(0)
    return [function(torch.ones(4))[0].item() for _ in range(3)]


compiled_augment_by = torch.compile(augment_by)


def draw_outside(x):
    gain = torch.tensor(random.uniform(0.5, 1.5))
    return compiled_augment_by(x, gain)


from_object = torch.compile(augment_from_object, backend="aot_eager")
results = {
    "augment, in eager mode": three_calls(augment),
    "augment, compiled": three_calls(torch.compile(augment)),
    "augment_from_object, aot_eager": three_calls(from_object),
    "augment_by, compiled": three_calls(draw_outside),
}
# endregion
rows = []
for name, numbers in results.items():
    rows.append([name, *(f"{number:.4g}" for number in numbers)])
show(Table(["function", "first call", "second call", "third call"], rows))

# region checks
eager, wrong, repeated, right = results.values()
assert len(set(eager)) == 3
assert right == eager
assert wrong != eager
assert repeated == [eager[0]] * 3
# endregion
