# /// lesson
# needs = ["triton"]
# memory = 8192
# ///
"""What capture can't know without a GPU: failures and notes."""

import torch

# region copy
from compile_lessons import capture


def capture_and_report(function, *inputs):
    pipeline = capture(function, target="h200", machine_code=False)(*inputs)
    for failure in pipeline.failures:
        print("  not compiled:", failure.message)
    for note in pipeline.gpu.notes:
        print("  assumed:", note)
    return pipeline


# endregion


def loss_on_cpu(x, w):
    return torch.relu(x @ w).mean().cpu()  # for a log


def loss(x, w):
    return torch.relu(x @ w).mean()  # the fix: the caller copies the loss to the CPU


x = torch.ones(512, 1023, dtype=torch.bfloat16)
w = torch.ones(1023, 511, dtype=torch.bfloat16)
failures = []
notes = []
for function in (loss_on_cpu, loss):
    print(function.__name__)
    pipeline = capture_and_report(function, x, w)
    failures.append([failure.type for failure in pipeline.failures])
    notes.append(len(pipeline.gpu.notes))
# region checks
assert failures == [["NotKnownWithoutGpu"], []]
assert notes[1] == 1
# endregion
