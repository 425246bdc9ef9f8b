# /// lesson
# needs = ["compiler"]
# ///
"""AOTAutograd's cache saves a forward pass when its backward pass has compiled."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter
from torch._inductor.utils import fresh_cache  # private

from compile_lessons import Table, show

x = torch.ones(4, 16)


# region steps
def train(model):
    model(x).sum().backward()


def evaluate(model):
    model(x)


def evaluate_without_gradients(model):
    with torch.no_grad():
        model(x)


# endregion
rows = []
for step in (evaluate, evaluate_without_gradients, train):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU())
    with fresh_cache():
        for _ in range(2):  # as two processes would
            torch.compiler.reset()
            counters.clear()
            step(torch.compile(model))
    autograd = "hit" if counters["aot_autograd"]["autograd_cache_hit"] else "miss"
    inductor = "hit" if counters["inductor"]["fxgraph_cache_hit"] else "miss"
    rows.append([step.__name__, autograd, inductor])
show(Table(["second process runs", "AOTAutograd's cache", "FX graph cache"], rows))
# region checks
assert [row[1:] for row in rows] == [["miss", "hit"], ["hit", "hit"], ["hit", "hit"]]
# endregion
