"""The loop collects, and the print comes after it: two graphs instead of none."""

import torch

from compile_lessons import capture


def refine(x, steps):
    norms = []
    for _ in range(steps):
        x = x - 0.1 * torch.sin(x)
        norms.append(x.norm())
    print("norms", torch.stack(norms))
    return x * 2


pipeline = capture(refine, until="dynamo")(torch.ones(8), 2)
for graph in pipeline.graphs:
    print([node.name for node in graph.dynamo.calls])

# region checks
assert len(pipeline.graphs) == 2
assert not pipeline.skips
# endregion
