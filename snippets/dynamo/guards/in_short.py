# /// lesson
# needs = ["compiler"]
# ///
"""A guard fails, and torch logs which."""

import torch

torch._logging.set_logs(recompiles=True)


@torch.compile
def amplify(x, factor):
    return x * factor


amplify(torch.ones(4), 2)
amplify(torch.ones(4), 3)  # the guard `factor == 2` fails

# region checks
assert torch.equal(amplify(torch.ones(4), 3), torch.full((4,), 3.0))
# endregion
