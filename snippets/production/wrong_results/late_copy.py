# /// lesson
# needs = ["compiler"]
# ///
"""A copy between two changes of an argument gets the second change too."""

import torch

from compile_lessons import Table, show


# region fill
def with_clone(cache):
    cache[:, :2] = 7.0
    copy = cache.clone()
    cache[:, 2:] = 9.0
    return copy, cache


def with_product(cache):
    cache[:, :2] = 7.0
    copy = cache * 1
    cache[:, 2:] = 9.0
    return copy, cache


def with_new_tensor(cache):
    filled = cache.clone()
    filled[:, :2] = 7.0
    copy = filled.clone()
    filled[:, 2:] = 9.0
    return copy, filled


# endregion
def scale_copy(fill, cache, weight):
    copy, _ = fill(cache)
    return copy * weight


rows = []
for fill in (with_clone, with_product, with_new_tensor):
    copy, _ = torch.compile(fill)(torch.zeros(1, 4))
    weight = torch.ones(4, requires_grad=True)
    scaled = torch.compile(scale_copy)(fill, torch.zeros(1, 4), weight)
    scaled.sum().backward()
    rows.append([fill.__name__, str(copy[0].tolist()), str(weight.grad.tolist())])
show(Table(["function", "copy", "gradient of the weight"], rows))

# region checks
right = "[7.0, 7.0, 0.0, 0.0]"
wrong = "[7.0, 7.0, 9.0, 9.0]"
assert [row[1] for row in rows] == [wrong, right, right]
assert [row[2] for row in rows] == [wrong, wrong, right]
# endregion
