# /// lesson
# needs = ["compiler"]
# ///
"""A check for infinities that torch.compile answers differently, and its fix."""

import torch


def step(x, is_finite):
    loss = (x / x.sum()).log().mean()
    return torch.where(is_finite(loss), loss, torch.zeros_like(loss))


def by_product(value):
    return value * 0 == 0  # NaN for NaN and for an infinity


x = torch.tensor([0.0, 1.0, 3.0])  # log(0) is -inf
kept = {}
for check in (by_product, torch.isfinite):
    eager = step(x, check).item()
    compiled = torch.compile(step)(x, check).item()
    kept[check.__name__] = eager, compiled
    print(f"{check.__name__:10}  eager {eager:5.2f}  compiled {compiled:5.2f}")
# region checks
assert kept["by_product"] == (0, float("-inf"))
assert kept["isfinite"] == (0, 0)
# endregion
