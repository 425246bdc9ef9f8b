"""A compiled generator function runs in eager mode; compile the work of one step instead."""

import torch


def keep_graph(graph_module, example_inputs):
    graphs.append(graph_module)
    return graph_module.forward


@torch.compile(backend=keep_graph)
def stream(x):
    for _ in range(3):
        x = x.sin() + 1
        yield x


@torch.compile(backend=keep_graph)
def one_step(x):
    return x.sin() + 1


def stream_of_steps(x):
    for _ in range(3):
        x = one_step(x)
        yield x


graphs = []
results = list(stream(torch.ones(4)))
print("compiled generator:", len(graphs), "graphs")
fixed = list(stream_of_steps(torch.ones(4)))
print("compiled step:     ", len(graphs), "graph")

# region checks
assert len(graphs) == 1 and len(results) == 3
torch.testing.assert_close(fixed, results)
# endregion
