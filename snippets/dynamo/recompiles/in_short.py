# /// lesson
# needs = ["compiler"]
# ///
"""A number that changes is an argument: one recompile in twenty calls."""

import torch

torch._logging.set_logs(recompiles=True)


@torch.compile
def attend(scores, length):  # not self.length, and not a global
    return torch.softmax(scores[:, :length], -1)


for length in range(2, 22):
    attend(torch.ones(2, 32), length)

# region checks
torch.compiler.set_stance("fail_on_recompile")
assert attend(torch.ones(2, 32), 30).shape == (2, 30)
# endregion
