"""assume_constant_result: Dynamo calls the function once, and keeps the result."""

import torch

calls = []


@torch.compiler.assume_constant_result
def scale():
    calls.append("scale")
    return len(calls) * 10


@torch.compile(backend="eager", fullgraph=True)
def scaled(x):
    return x * scale()


results = [scaled(torch.ones(1)).item() for _ in range(3)]
print("results:", results, "· calls to scale():", len(calls))

# region checks
assert results == [10.0, 10.0, 10.0]
assert len(calls) == 1
# endregion
