# /// lesson
# needs = ["compiler"]
# ///
"""A forward pass that could be differentiated is saved when its backward pass has compiled, not before."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU())
x, rows = torch.ones(4, 16), []


def train():
    compiled(x).sum().backward()


def evaluate():
    compiled(x)


def evaluate_without_gradients():
    with torch.no_grad():
        compiled(x)


for step in (evaluate, evaluate_without_gradients, train):
    answers = []
    for _ in range(2):  # as two processes would
        torch.compiler.reset()
        counters.clear()
        compiled = torch.compile(model)
        step()
        hit = counters["aot_autograd"]["autograd_cache_hit"]
        answers.append("hit" if hit else "miss")
    rows.append([step.__name__, *answers])
show(Table(["process runs", "first process", "second process"], rows))
# region checks
assert [row[2] for row in rows] == ["miss", "hit", "hit"]
# endregion
