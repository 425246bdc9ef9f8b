# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 300
# memory = 65536
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A training step on two GPUs: DDP and FSDP2, eager and compiled, beside one GPU."""

import torch
from _training import ddp, fsdp, measure, one
from _two import on_two_processes

from compile_lessons import Table, show

torch._inductor.config.compile_threads = 8
VARIANTS = {  # how the model is wrapped, whether it is compiled, and optimize_ddp
    "one GPU, eager": (one, False, True),
    "one GPU, compiled": (one, True, True),
    "DDP, eager": (ddp, False, True),
    "DDP, compiled": (ddp, True, True),
    "DDP, compiled, optimize_ddp=False": (ddp, True, False),
    "FSDP2, eager": (fsdp, False, True),
    "FSDP2, blocks compiled": (fsdp, True, True),
}
measured = on_two_processes(lambda rank: measure(VARIANTS), "nccl")
rows, base = [], measured["DDP, eager"][1]
for name, (graphs, middle, least, most) in measured.items():
    numbers = [f"{middle:.1f}", f"{least:.1f} to {most:.1f}", f"{middle / base:.2f}"]
    rows.append([name, graphs, *numbers])
show(Table(["step", "graphs", "ms", "of nine", "of DDP, eager"], rows))
graphs = {name: row[0] for name, row in measured.items()}
one_ms, one_compiled_ms, ddp_ms, split_ms, whole_ms, fsdp_ms, blocks_ms = (
    row[1] for row in measured.values()
)
split_graphs = graphs["DDP, compiled"]
# region checks
assert (
    graphs["DDP, eager"] == graphs["FSDP2, eager"] == 0
    and graphs["DDP, compiled, optimize_ddp=False"] == 1
)
assert graphs["DDP, compiled"] > 1
# endregion
