# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "graph_code", TORCH_LOGS_FORMAT = "%(message)s"}
# varies.output = ['__compiled_fn_\w+']
# ///
"""Choose inside the graph with torch.where."""

import torch


@torch.compile(fullgraph=True)
def safe_sqrt(x):
    x = torch.where(x.sum() < 0, -x, x)  # not: if x.sum() < 0: x = -x
    return torch.sqrt(x)


print(safe_sqrt(torch.full((3,), 4.0)))
print(safe_sqrt(torch.full((3,), -4.0)))

# region checks
assert torch.equal(safe_sqrt(torch.full((3,), -4.0)), torch.full((3,), 2.0))
# endregion
