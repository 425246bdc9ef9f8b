# /// lesson
# needs = ["compiler"]
# env = {TORCH_LOGS = "fusion", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""The decisions in torch's log, for the CPU: four loops that read the same tensor."""

import torch


@torch.compile
def statistics(x):
    return (
        x.sum(1),  # op0 in the log
        x.amax(1),  # op1
        x.sum(0),  # op2
        x * 2,  # op3
    )


x = torch.randn(64, 1024)
results = statistics(x)
# region checks
assert len(results) == 4
torch.testing.assert_close(results, (x.sum(1), x.amax(1), x.sum(0), x * 2), rtol=1e-4, atol=1e-4)
# endregion
