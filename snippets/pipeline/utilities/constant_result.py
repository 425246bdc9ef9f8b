"""assume_constant_result: Dynamo calls the function once, during tracing, and keeps the result."""

import torch

calls = 0


@torch.compiler.assume_constant_result
def scale():
    global calls
    calls += 1
    return calls * 10


@torch.compile(backend="eager", fullgraph=True)
def scaled(x):
    return x * scale()


results = [scaled(torch.ones(1)).item() for _ in range(3)]
print("results:", results, "· calls to scale():", calls)

# region checks
assert results == [10.0, 10.0, 10.0] and calls == 1
# endregion
