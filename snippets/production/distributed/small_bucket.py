"""DDP with buckets below 1 MB doesn't compile."""

import torch
from _ranks import on_two_ranks
from torch.nn.parallel import DistributedDataParallel

from compile_lessons import Table, keep_graphs, show


def forward(size, split):
    """Return how many graphs a model in DDP has, or the error."""
    torch.compiler.reset()
    torch._dynamo.config.optimize_ddp = split  # private: torch has no public name
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
    kept = keep_graphs()
    ddp = DistributedDataParallel(
        torch.compile(model, backend=kept), bucket_cap_mb=size
    )
    try:
        ddp(torch.ones(2, 4)).sum().backward()
    except AssertionError as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return f"graphs: {len(kept.graphs)}"


def all_sizes(rank):
    return [
        [size, split, forward(size, split)]
        for size, split in ((25, True), (1, True), (0.5, True), (0.5, False))
    ]


rows = on_two_ranks(all_sizes)
show(Table(["bucket_cap_mb", "optimize_ddp", "result"], rows))

# region checks
results = [row[2] for row in rows]
assert results[0] == results[1] == results[3] == "graphs: 1"
assert results[2].startswith("AssertionError: First bucket should be smaller")
# endregion
