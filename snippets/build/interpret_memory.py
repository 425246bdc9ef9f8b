"""Free each value after its last use: the peak memory of one training step, in bytes."""

import torch
from _step2_interpret import Interpreter, backend_of

from compile_lessons import Table, show


def step(x, *weights):
    for weight in weights:
        x = torch.nn.functional.gelu(x @ weight)
    return x.square().mean()


def interpret(module):
    interpreters.append(Interpreter(module, free))
    return interpreters[-1]


rows, interpreters, x = [], [], torch.randn(1024, 256)
weights = [(torch.randn(256, 256) / 16).requires_grad_() for _ in range(4)]
for free in (False, True):
    torch.compiler.reset()
    interpreters.clear()
    torch.compile(step, backend=backend_of(interpret))(x, *weights).backward()
    peaks = [interpreter.peak / 2**20 for interpreter in interpreters]
    rows.append(["freed after its last use" if free else "kept to the end", *(f"{peak:.1f} MiB" for peak in peaks)])
show(Table(["a value is", "forward peak", "backward peak"], rows))

kept, freed = (float(row[2].split()[0]) for row in rows)
# region checks
assert len(interpreters) == 2 and kept > 3 * freed
# endregion
