# /// lesson
# needs = ["compiler"]
# data = ["_paired.py"]
# varies.output = ['\d[\d.,]* µs']
# ///
"""Guards of a model with many modules and little work: each call checks them all."""

import torch
from _paired import paired
from torch import nn


class Ensemble(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = nn.ModuleList(nn.LayerNorm(8) for _ in range(80))

    def forward(self, x):
        return torch.stack([gate.weight * x + gate.bias for gate in self.gates]).mean(0)


kept = []  # the number of guards that each filter keeps


def keep_all(guards):
    kept.append(len(guards))
    return [True] * len(guards)  # for each guard, whether to keep it


def without_modules(guards):
    wanted = torch.compiler.skip_guard_on_all_nn_modules_unsafe(guards)
    kept.append(sum(wanted))
    return wanted


model = Ensemble().eval()
functions = {"eager": model}
for guard_filter in (keep_all, without_modules):
    options = {"guard_filter_fn": guard_filter}
    functions[guard_filter.__name__] = torch.compile(
        model, options=options, isolate_recompiles=True
    )  # isolated: otherwise the second would reuse the first one's version
us = paired(functions, torch.randn(8))
for name, guards in zip(us, [0, *kept], strict=True):  # eager mode has 0
    print(f"{name:16} {guards:5,} guards, {us[name]:6,.0f} µs")
all_guards, few_guards = kept

# region checks
assert few_guards < all_guards / 10
# endregion
