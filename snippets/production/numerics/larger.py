# /// lesson
# needs = ["compiler"]
# ///
"""Two functions whose compiled results differ by far more than rounding."""

import torch

from compile_lessons import Table, show

torch.manual_seed(0)
times = torch.arange(1000) / 10
step = torch.tensor(0.1)
samples = torch.randn(8192) + 1e5


# region functions
def compute(times, step, samples):
    return {
        "times // 0.1": (times // step)[5],
        "floor(times / 0.1)": torch.floor(times / step)[5],
        "samples.std()": samples.std(),
        "(samples - samples.mean()).std()": (samples - samples.mean()).std(),
    }


# endregion
eager = compute(times, step, samples)
compiled = torch.compile(compute)(times, step, samples)
exact = compute(times.double(), step.double(), samples.double())
rows = []
for name in exact:
    numbers = [eager[name], compiled[name], exact[name]]
    rows.append([name, *(f"{number:.4f}" for number in numbers)])
show(Table(["function", "eager mode", "compiled", "float64"], rows))

# region checks
assert rows[0][1:] == ["4.0000", "5.0000", "4.0000"]
assert torch.equal(eager["floor(times / 0.1)"], compiled["floor(times / 0.1)"])
deviation = exact["samples.std()"]
assert abs(compiled["samples.std()"] / deviation - 1) > 1e-5
assert abs(eager["samples.std()"] / deviation - 1) < 1e-5
for results in (eager, compiled):
    fixed = results["(samples - samples.mean()).std()"]
    assert abs(fixed / deviation - 1) < 1e-5
# endregion
