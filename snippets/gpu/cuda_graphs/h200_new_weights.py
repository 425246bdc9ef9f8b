# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# env = {TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""New weights under CUDA graphs: a call records if they are assigned, and replays if they are copied."""

import torch
from _weights import recorded_layers, swap_adapters, x
from torch._dynamo.utils import counters

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
torch._logging.set_logs(cudagraphs=True)  # as TORCH_LOGS=cudagraphs does
compiled(x)
torch._logging.set_logs(cudagraphs=False)
# region checks
assert assigned > 5 * after_assignment
assert assigned > 5 * copied
# Do these recordings count toward the limit after which torch stops recording?
torch._inductor.config.triton.cudagraph_unexpected_rerecord_limit = 2
counters.clear()
swap_adapters(assign)
skips = counters["inductor"]["cudagraph_skips"]
# endregion
