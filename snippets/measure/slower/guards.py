# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]* µs']
# varies.values = ["eager_us", "compiled_us", "unguarded_us"]
# ///
"""Guards of a model with many modules: each call checks them all, however little the model computes."""

import torch
from _paired import paired
from torch import nn


class Ensemble(nn.Module):
    """Eighty small gates. Each one scales its input."""

    def __init__(self, size=80):
        super().__init__()
        self.gates = nn.ModuleList(nn.LayerNorm(8) for _ in range(size))

    def forward(self, x):
        return torch.stack([gate.weight * x + gate.bias for gate in self.gates]).mean(0)


def keep_all(guards):
    kept.append(len(guards))
    return [True] * len(guards)


def without_modules(guards):
    wanted = torch.compiler.skip_guard_on_all_nn_modules_unsafe(guards)
    kept.append(sum(wanted))
    return wanted


model, x, kept = Ensemble().eval(), torch.randn(8), []
functions = {"eager": model}
for guard_filter in (keep_all, without_modules):
    options = {"guard_filter_fn": guard_filter}  # isolated: otherwise the second would reuse the first one's version
    functions[guard_filter.__name__] = torch.compile(model, options=options, isolate_recompiles=True)
us = paired(functions, x)
for name, number in zip(us, [0, *kept], strict=True):
    print(f"{name:16} {number:5,} guards, {us[name]:6,.0f} µs")
eager_us, compiled_us, unguarded_us = us.values()
all_guards, few_guards = kept

# region checks
assert few_guards < all_guards / 10
# endregion
