# /// lesson
# needs = ["compiler"]
# ///
"""AOTAutograd's cache saves a forward pass that could be differentiated when its backward pass has compiled."""

import torch
from torch._dynamo.utils import counters
from torch._inductor.utils import fresh_cache

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
    with fresh_cache():
        for _ in range(2):  # as two processes would
            torch.compiler.reset()
            counters.clear()
            compiled = torch.compile(model)
            step()
    hits = counters["aot_autograd"]["autograd_cache_hit"], counters["inductor"]["fxgraph_cache_hit"]
    rows.append([step.__name__, *("hit" if hit else "miss" for hit in hits)])
show(Table(["second process runs", "AOTAutograd's cache", "FX graph cache"], rows))
# region checks
assert [row[1:] for row in rows] == [["miss", "hit"], ["hit", "hit"], ["hit", "hit"]]
# endregion
