"""Free each value after its last use: the peak memory of one training step."""

import torch
from _step2_interpret import Interpreter, backend_of

from compile_lessons import Table, show


def step(x, *weights):
    for weight in weights:
        x = torch.nn.functional.gelu(x @ weight)
    return x.square().mean()


def peaks(free):
    """Return the peak of the forward and of the backward graph, in MiB."""
    torch.compiler.reset()
    interpreters = []

    def interpret(graph_module):
        interpreters.append(Interpreter(graph_module, free))
        return interpreters[-1]

    compiled = torch.compile(step, backend=backend_of(interpret))
    compiled(x, *weights).backward()
    return [interpreter.peak / 2**20 for interpreter in interpreters]


x = torch.randn(1024, 256)
weights = [(torch.randn(256, 256) / 16).requires_grad_() for _ in range(4)]
kept_peaks = peaks(free=False)
freed_peaks = peaks(free=True)
rows = [
    ["kept to the end", *(f"{peak:.1f} MiB" for peak in kept_peaks)],
    ["freed after its last use", *(f"{peak:.1f} MiB" for peak in freed_peaks)],
]
show(Table(["a value is", "forward peak", "backward peak"], rows))

kept = kept_peaks[1]
freed = freed_peaks[1]
# region checks
assert kept > 3 * freed
# endregion
