# /// lesson
# varies.output = ['\d+\.\d+ ms', '\d+\.\d+ times']
# varies.values = ["slower", "began", "median"]
# ///
"""An addition over 64 MiB, with a new result in each call or with the same memory."""

import statistics
from time import perf_counter

import torch

x = torch.randn(8192, 2048)
result = torch.zeros_like(x)
contenders = {
    "a new result": lambda: x + 1,
    "the same memory": lambda: torch.add(x, 1, out=result),
}
samples = {name: [] for name in contenders}
for _ in range(7):
    for name, contender in contenders.items():
        began = perf_counter()
        contender()
        samples[name].append(1e3 * (perf_counter() - began))
medians = {name: statistics.median(times) for name, times in samples.items()}
for name, median in medians.items():
    print(f"{name}: {median:.1f} ms")
slower = medians["a new result"] / medians["the same memory"]
print(f"The new pages make the call take {slower:.1f} times as long.")
# region checks
assert torch.equal(x + 1, result)
# endregion
