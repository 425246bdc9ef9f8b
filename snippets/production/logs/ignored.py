# /// lesson
# env = {TORCH_LOGS = "graph_breaks", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""With TORCH_LOGS set, set_logs does nothing."""

import torch

from compile_lessons import keep_graphs

torch._logging.set_logs(recompiles=True)  # private, but documented


def scale(x, name):
    return x * len(name)


kept = keep_graphs()
compiled = torch.compile(scale, backend=kept)
for name in ("a", "ab"):  # the second call recompiles
    compiled(torch.ones(2), name)
print(f"{len(kept.graphs)} versions, and no log of the recompile")

# region checks
assert len(kept.graphs) == 2
# endregion
