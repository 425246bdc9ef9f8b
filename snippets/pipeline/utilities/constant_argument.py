"""The fix: pass the changing value as an argument."""

import torch

from compile_lessons import keep_graphs

kept = keep_graphs()


@torch.compile(backend=kept, fullgraph=True)
def scale_loss(loss, loss_scale):
    return loss * loss_scale


results = []
for loss_scale in (10.0, 20.0, 30.0):
    results.append(scale_loss(torch.ones(1), torch.tensor(loss_scale)).item())
print("results:", results, "· graphs:", len(kept.graphs))

# region checks
assert results == [10.0, 20.0, 30.0]
assert len(kept.graphs) == 1
# endregion
