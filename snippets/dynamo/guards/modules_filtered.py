"""Drop only guards on what cannot change: here, the structure of a model."""

import re

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

gain = 3


def amplify(x):
    return model(x) * gain


def right(compiled):
    return torch.equal(compiled(x), amplify(x))


x, all_checks, layers_noticed = torch.ones(2, 4), [], []
for guard_filter in (None, torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe):
    torch.compiler.reset()
    model = torch.nn.Sequential(*(torch.nn.ReLU() for _ in range(10)))
    options = {"guard_filter_fn": guard_filter} if guard_filter else None
    compiled = torch.compile(amplify, backend="eager", options=options)
    compiled(x)
    [entry] = _debug_get_cache_entry_list(amplify)
    all_checks.append(len(re.findall(r"\+- [A-Z_]+:", str(entry.guard_manager))))
    gain += 1
    gain_noticed = right(compiled)
    model[0] = torch.nn.Sigmoid()
    layers_noticed.append(right(compiled))
    print(f"checks: {all_checks[-1]}, another gain noticed: {gain_noticed}", end=", ")
    print(f"another layer noticed: {layers_noticed[-1]}")
    assert gain_noticed

before, after = all_checks
# region checks
assert after < before and layers_noticed == [True, False]
# endregion
