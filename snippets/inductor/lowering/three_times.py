# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d+']
# varies.values = ["as_is", "option", "returned", "start"]
# ///
"""The same head, timed: as it is, and with GELU kept in a buffer."""

from time import perf_counter

import torch
import torch.nn.functional as F

from compile_lessons import Table, show


def head(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift)


def head_and_gelu(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift), y


torch.set_num_threads(1)  # so that other programs on this machine disturb less
x = torch.randn(256, 512)
bias, weight, shift = torch.randn(3, 512)
lower_limit = {"realize_opcount_threshold": 5}
functions = {
    "eager": head,
    "compiled": torch.compile(head),
    "compiled, GELU returned as well": torch.compile(head_and_gelu),
    "compiled, realize_opcount_threshold=5": torch.compile(head, options=lower_limit),
}
times = {name: [] for name in functions}
for _ in range(300):
    for name, function in functions.items():  # in turn: a disturbance hits all of them
        start = perf_counter()
        function(x, bias, weight, shift)
        times[name].append(perf_counter() - start)
ratios = [min(seconds) / min(times["eager"]) for seconds in times.values()]
rows = [[name, f"{ratio:.2f}"] for name, ratio in zip(times, ratios, strict=True)]
show(Table(["head", "time / eager"], rows))
_, as_is, returned, option = ratios
# region checks
assert as_is > 1.1 * option  # 2.3 times on a quiet machine
compiled = functions["compiled"](x, bias, weight, shift)
torch.testing.assert_close(compiled, head(x, bias, weight, shift))
# endregion
