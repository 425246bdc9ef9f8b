# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+ s', '[\d,]+ µs']
# varies.values = ["later", "began"]
# ///
"""A loop over six time steps, compiled whole, as one step, and with scan."""

from functools import partial
from statistics import median
from timeit import repeat

import torch
from torch._higher_order_ops.scan import scan

from compile_lessons import Table, show


def step(state, x):
    return torch.lerp(state, torch.tanh(inner(state) + x), torch.sigmoid(gate(x)))


def loop(sequence, step=step):
    state = torch.zeros_like(sequence[0])
    for x in sequence.unbind():
        state = step(state, x)
    return state


def scanned(sequence):
    return scan(lambda state, x: (new := step(state, x), new.clone()), torch.zeros_like(sequence[0]), sequence)[0]


torch.set_grad_enabled(False)
torch.compile(torch.neg)(torch.randn(16))  # imports and starts the compiler, which is not what we time
inner, gate, sequence = torch.nn.Linear(32, 32), torch.nn.Linear(32, 32), torch.randn(6, 8, 32)
# region copy
one_step = partial(loop, step=torch.compile(step))
# endregion
whole, scanned = torch.compile(loop), torch.compile(scanned, fullgraph=True)
rows, forms = [], {"nothing": loop, "the loop": whole, "one step": one_step, "scan": scanned}
for name, form in forms.items():
    began, *later = repeat(partial(form, sequence), number=1, repeat=22)
    rows.append([name, f"{began:.1f} s", f"{median(later) * 1e6:,.0f} µs"])
show(Table(["compiled", "first call", "later call"], rows))
# region checks
for form in forms.values():
    torch.testing.assert_close(form(sequence), loop(sequence))
# endregion
