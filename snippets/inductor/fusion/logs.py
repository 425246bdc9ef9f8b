# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "fusion", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The decisions in torch's log, for the CPU: four loops that read the same tensor."""

import torch


# region function
def statistics(x):
    return (
        x.sum(1),  # op0 in the log
        x.amax(1),  # op1
        x.sum(0),  # op2
        x * 2,  # op3
    )


# endregion
x = torch.randn(64, 1024)
results = torch.compile(statistics)(x)
# region checks
assert len(results) == 4
torch.testing.assert_close(results, statistics(x), rtol=1e-4, atol=1e-4)
# endregion
