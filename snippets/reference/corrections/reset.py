"""What torch.compiler.reset() changes: versions are gone, settings and stance stay."""

import torch

from compile_lessons import Table, keep_graphs, show

kept = keep_graphs()


@torch.compile(backend=kept)
def double(x):
    return x * 2


def graphs_of_a_call():
    before = len(kept.graphs)
    double(torch.ones(3))
    return len(kept.graphs) - before


default_limit = torch.compiler.config.recompile_limit
torch.compiler.config.recompile_limit = 3
first = graphs_of_a_call()
second = graphs_of_a_call()
torch.compiler.reset()
after_reset = graphs_of_a_call()
limit = torch.compiler.config.recompile_limit

torch.compiler.set_stance("force_eager")
torch.compiler.reset()
in_eager_mode = graphs_of_a_call()

rows = [
    ["graphs that a call compiles", first, second, after_reset],
    ["recompile_limit", default_limit, 3, limit],
    ["graphs under force_eager", "", "", in_eager_mode],
]
show(Table(["", "first", "then", "after reset()"], rows))
# region checks
assert (first, second, after_reset) == (1, 0, 1)
assert limit == 3
assert in_eager_mode == 0
# endregion
