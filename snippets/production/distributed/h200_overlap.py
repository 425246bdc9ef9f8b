# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 150
# memory = 65536
# ///
"""Does a transfer overlap? A block with two all-reduces, under three settings."""

import warnings
from functools import partial
from statistics import median

import torch
import torch.distributed as dist
from _overlap import transfers
from _tensor_parallel import milliseconds
from _two import on_two_processes
from torch import nn
from torch.distributed._functional_collectives import all_reduce  # no public name

from compile_lessons import Table, show

warnings.simplefilter("ignore")  # of torch's own calls of what it deprecates


class ParallelBlock(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.attention = nn.Linear(width, width, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        attention = all_reduce(self.attention(x), "sum", dist.group.WORLD)
        hidden = self.up(x).relu()
        mlp = all_reduce(self.down(hidden), "sum", dist.group.WORLD)
        return x + attention + mlp


TOKENS = (1024, 8192)
# region settings
REORDER = "reorder_for_compute_comm_overlap"
SCHEDULE = "aten_distributed_optimizations.enable_overlap_scheduling"
settings = {
    "default": {},
    "sink_waits": {REORDER: True, f"{REORDER}_passes": ["sink_waits"]},
    "overlap scheduling": {SCHEDULE: True},
}
# endregion


# region measure
def measure(rank):
    torch.manual_seed(0)
    with torch.device("cuda"):
        block = ParallelBlock(8192, 14336).to(torch.bfloat16)
        inputs = [torch.randn(tokens, 8192).to(torch.bfloat16) for tokens in TOKENS]
    cases = {}
    collectives = {}
    for x in inputs:
        for name, options in settings.items():
            compiled = torch.compile(block, options=options, dynamic=False)
            torch.testing.assert_close(compiled(x), block(x), rtol=0.1, atol=0.1)
            case = len(x), name
            cases[case] = compiled, x
            collectives[case] = transfers(partial(compiled, x))
    return milliseconds(cases), collectives


# endregion
times, collectives = on_two_processes(measure, "nccl")
rows = []
for (tokens, name), samples in times.items():
    transfer, hidden = collectives[tokens, name]
    numbers = [f"{median(samples):.2f}", f"{min(samples):.2f} to {max(samples):.2f}"]
    rows.append([tokens, name, *numbers, f"{transfer:.2f}", f"{hidden:.2f}"])
columns = ["tokens", "setting", "ms a call", "of seven", "all-reduces", "overlapped"]
show(Table(columns, rows))
default_ms = median(times[8192, "default"])
sink_ms = median(times[8192, "sink_waits"])
transfer_ms, sink_hidden_ms = collectives[8192, "sink_waits"]
# region checks
for tokens in TOKENS:
    transfer, hidden = collectives[tokens, "default"]
    assert hidden < 0.1 * transfer
    transfer, hidden = collectives[tokens, "sink_waits"]
    assert hidden > 0.2 * transfer
# endregion
