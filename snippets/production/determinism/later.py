# /// lesson
# needs = ["compiler"]
# ///
"""The same input gives different bits after a call with another length."""

import torch

from compile_lessons import Table, show


def standardize(signals):
    return torch.nn.functional.layer_norm(signals, signals.shape[-1:])


torch.manual_seed(0)
short, long = torch.randn(4, 1000), torch.randn(4, 1200)
rows = []
for dynamic in (None, False, True):
    torch.compiler.reset()
    compiled = torch.compile(standardize, dynamic=dynamic)
    first = compiled(short)
    again = compiled(short)
    compiled(long)
    later = compiled(short)
    largest = f"{(first - later).abs().max().item():.0e}"
    rows.append([f"dynamic={dynamic}", torch.equal(first, again), torch.equal(first, later), largest])
show(Table(["torch.compile", "second call equal", "equal after the call with `long`", "largest difference"], rows))
# region checks
assert [row[1:3] for row in rows] == [[True, False], [True, True], [True, True]]
# endregion
