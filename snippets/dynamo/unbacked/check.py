"""torch._check: a condition that is tested when the graph runs."""

import torch

from compile_lessons import keep_graphs

kept = keep_graphs()
torch.compiler.set_default_backend(kept)


# region copy
@torch.compile(fullgraph=True)
def head(x, counts):
    n = counts.sum().item()
    torch._check(n > 3)
    if n > 3:  # true, because of the check
        return x[:3]
    return x


# endregion
result = head(torch.ones(8), torch.tensor([2, 3]))
print(kept.graphs[0].code.strip())
print(result)
try:
    head(torch.ones(8), torch.tensor([1, 1]))
except RuntimeError as error:
    message = str(error).splitlines()[0]
    print("RuntimeError:", message)

# region checks
assert len(kept.graphs) == 1
assert "Runtime assertion failed" in message
# endregion
