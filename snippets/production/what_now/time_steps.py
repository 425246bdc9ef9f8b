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
from torch._higher_order_ops.scan import scan  # no public name

from compile_lessons import Table, show

inner = torch.nn.Linear(32, 32)
gate = torch.nn.Linear(32, 32)


# region forms
def step(state, x):
    return torch.lerp(state, torch.tanh(inner(state) + x), torch.sigmoid(gate(x)))


def loop(sequence, step=step):
    state = torch.zeros_like(sequence[0])
    for x in sequence.unbind():
        state = step(state, x)
    return state


def scan_step(state, x):
    state = step(state, x)
    return state, state.clone()


def scanned(sequence):
    return scan(scan_step, torch.zeros_like(sequence[0]), sequence)[0]


# endregion
# region copy
one_step = partial(loop, step=torch.compile(step))
# endregion
forms = {
    "nothing": loop,
    "the loop": torch.compile(loop),
    "one step": one_step,
    "scan": torch.compile(scanned, fullgraph=True),
}
torch.set_grad_enabled(False)
torch.compile(torch.neg)(torch.ones(1))  # starts the compiler, which we don't time
sequence = torch.randn(6, 8, 32)
rows = []
for name, form in forms.items():
    began, *later = repeat(partial(form, sequence), number=1, repeat=22)
    rows.append([name, f"{began:.1f} s", f"{median(later) * 1e6:,.0f} µs"])
show(Table(["compiled", "first call", "later call"], rows))

# region checks
for form in forms.values():
    torch.testing.assert_close(form(sequence), loop(sequence))
# endregion
