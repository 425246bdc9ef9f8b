"""A compiled generator function runs in eager mode; compile one step instead."""

import torch

from compile_lessons import keep_graphs

kept = keep_graphs()


@torch.compile(backend=kept)
def stream(x):
    for _ in range(3):
        x = x.sin() + 1
        yield x


# region functions
@torch.compile(backend=kept)
def one_step(x):
    return x.sin() + 1


def stream_of_steps(x):
    for _ in range(3):
        x = one_step(x)
        yield x


# endregion
results = list(stream(torch.ones(4)))
graphs_of_stream = len(kept.graphs)
print("compiled generator:", graphs_of_stream, "graphs")
fixed = list(stream_of_steps(torch.ones(4)))
print("compiled step:     ", len(kept.graphs), "graph")

# region checks
assert graphs_of_stream == 0
assert len(kept.graphs) == 1
assert len(results) == 3
torch.testing.assert_close(fixed, results)
# endregion
