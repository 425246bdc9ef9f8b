"""Count the graphs that Dynamo makes of a function."""

import torch

from compile_lessons import keep_graphs


def compiles(function, calls, **options):
    """Return how many graphs Dynamo makes while it calls ``function``."""
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept, **options)
    for arguments in calls:
        compiled(*arguments)
    return len(kept.graphs)
