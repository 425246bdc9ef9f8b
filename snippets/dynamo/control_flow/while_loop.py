"""while_loop: a tensor's value decides how many iterations run."""

import torch

from compile_lessons import keep_graphs


def is_small(rounds, x):
    return x.sum() < 100


def double(rounds, x):
    return rounds + 1, x * 2


def double_until(x):
    return torch.while_loop(is_small, double, (torch.tensor(0), x))


kept = keep_graphs()
compiled = torch.compile(double_until, backend=kept, fullgraph=True)
for start in (1.0, 30.0):
    rounds, x = compiled(torch.full((4,), start))
    print("rounds:", rounds.item(), "result:", x)
kept.graphs[0].print_readable()

# region checks
assert compiled(torch.full((4,), 1.0))[0] == 5
assert compiled(torch.full((4,), 30.0))[0] == 0
assert len(kept.graphs) == 1
# endregion
