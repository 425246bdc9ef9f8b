# /// lesson
# needs = ["compiler"]
# data = ["_step4_prelude.h"]
# varies.output = ['.*']
# varies.values = ["ratio_to_inductor", "speedup", "began"]
# ///
"""One function on this machine: layer norm over 64 MiB, in turns, in three ways."""

import statistics
from time import perf_counter

import torch
from _functions import inputs, layer_norm
from _step4_backend import backend

from compile_lessons import Table, show

arguments = inputs(8192, 2048)
contenders = {
    "eager": layer_norm,
    "step 4": torch.compile(layer_norm, backend=backend, dynamic=False),
    "Inductor": torch.compile(layer_norm, dynamic=False),
}
expected = layer_norm(*arguments)
for contender in contenders.values():
    torch.testing.assert_close(contender(*arguments), expected, rtol=1e-4, atol=1e-5)
samples = {name: [] for name in contenders}
for _ in range(5):
    for name, contender in contenders.items():
        began = perf_counter()
        contender(*arguments)
        samples[name].append(perf_counter() - began)
medians = {name: statistics.median(times) for name, times in samples.items()}
rows = [[name, f"{1e3 * median:.1f} ms"] for name, median in medians.items()]
show(Table(["layer norm", "median"], rows))
ratio_to_inductor = medians["step 4"] / medians["Inductor"]
speedup = medians["eager"] / medians["step 4"]
# region checks
assert set(medians) == {"eager", "step 4", "Inductor"}
# endregion
