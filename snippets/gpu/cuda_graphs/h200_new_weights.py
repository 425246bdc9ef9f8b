# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""New weights under CUDA graphs: assigned, a call records; copied, it replays."""

import torch
from _weights import recorded_layers, swap_adapters, x
from torch._dynamo.utils import counters  # private: torch has no public counter
from torch._inductor import config

from compile_lessons import Table, show


def assign(layer, weight):
    layer.weight.data = weight


def copy(layer, weight):
    layer.weight.copy_(weight)


swap_adapters(copy)  # a process's first compile takes longer, whatever it compiles
copied, after_copy = swap_adapters(copy)
assigned, after_assignment = swap_adapters(assign)
rows = [
    ["layer.weight.copy_(weight)", f"{copied:.2f} ms", f"{after_copy:.2f} ms"],
    ["layer.weight.data = weight", f"{assigned:.2f} ms", f"{after_assignment:.2f} ms"],
]
show(Table(["the swap", "the call after a swap", "the next call"], rows))

[layer], compiled = recorded_layers(1)
assign(layer, torch.randn(256, 256, device="cuda"))
# private: TORCH_LOGS=cudagraphs, for one call of a program
torch._logging.set_logs(cudagraphs=True)
compiled(x)
# private: and the log is off again
torch._logging.set_logs(cudagraphs=False)
# region checks
assert assigned > 5 * after_assignment
assert assigned > 5 * copied
# Do these recordings count toward the limit after which torch stops recording?
config.triton.cudagraph_unexpected_rerecord_limit = 2
counters.clear()
swap_adapters(assign)
skips = counters["inductor"]["cudagraph_skips"]
# endregion
