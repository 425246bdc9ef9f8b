# /// lesson
# needs = ["compiler"]
# ///
"""Why torch doesn't fuse the sums of columns and of rows."""

import torch

torch._logging.set_logs(fusion=True)
torch.compiler.config.force_disable_caches = True  # cached code logs nothing
sums = torch.compile(lambda x: (x.sum(0), x.sum(1)))
sums(torch.randn(64, 1024))  # cannot fuse op0 with op1: no shared data

# region checks
columns, rows = sums(torch.ones(64, 1024))
assert (columns[0], rows[0]) == (64, 1024)
# endregion
