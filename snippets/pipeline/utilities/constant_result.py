"""assume_constant_result: Dynamo calls the function once, and keeps the result."""

import torch

calls = []


@torch.compiler.assume_constant_result
def loss_scale():
    calls.append("loss_scale")
    return len(calls) * 10


@torch.compile(backend="eager", fullgraph=True)
def scale_loss(loss):
    return loss * loss_scale()


results = [scale_loss(torch.ones(1)).item() for _ in range(3)]
print("results:", results, "· calls to loss_scale():", len(calls))

# region checks
assert results == [10.0, 10.0, 10.0]
assert len(calls) == 1
# endregion
