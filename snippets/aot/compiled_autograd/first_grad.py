"""The first step and the second differ: .grad is None, then a tensor."""

import inspect

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def step(w):
    w.sin().sum().backward()


def compiles_after_each(steps, before_step):
    torch.compiler.reset()
    counter, w, counts = CompileCounter(), torch.ones(4, requires_grad=True), []
    compiled = torch.compile(step, backend=counter)
    for _ in range(steps):
        before_step(w)
        compiled(w)
        counts.append(counter.frame_count)
    return counts


def keep_gradient(w):
    pass


def set_to_none(w):
    w.grad = None


with torch._dynamo.config.patch(compiled_autograd=True):
    kept, fresh = (compiles_after_each(4, before) for before in (keep_gradient, set_to_none))
show(Table([".grad before a step", "graphs after steps 1, 2, 3, 4"], [["kept", str(kept)], ["None", str(fresh)]]))

kept_graphs, fresh_graphs = kept[-1], fresh[-1]
assert (kept, fresh) == ([2, 3, 3, 3], [2, 2, 2, 2])
assert inspect.signature(torch.optim.Optimizer.zero_grad).parameters["set_to_none"].default is True
