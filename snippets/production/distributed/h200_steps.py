# /// lesson
# needs = ["gpu", "triton"]
# gpus = 2
# timeout = 300
# memory = 65536
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""A training step on two GPUs: DDP and FSDP2, eager and compiled, beside one GPU."""

import torch
from _training import Variant, ddp, fsdp, measure, one_gpu
from _two import on_two_processes

from compile_lessons import Table, show

torch._inductor.config.compile_threads = 8
VARIANTS = {
    "one GPU, eager": Variant(one_gpu),
    "one GPU, compiled": Variant(one_gpu, compiled=True),
    "DDP, eager": Variant(ddp),
    "DDP, compiled": Variant(ddp, compiled=True),
    "DDP, compiled, optimize_ddp=False": Variant(
        ddp, compiled=True, optimize_ddp=False
    ),
    "FSDP2, eager": Variant(fsdp),
    "FSDP2, blocks compiled": Variant(fsdp, compiled=True),
}
measured = on_two_processes(lambda rank: measure(VARIANTS), "nccl")
ddp_ms = measured["DDP, eager"].median_ms
rows = []
for name, (graphs, median, least, most) in measured.items():
    spread = f"{least:.1f} to {most:.1f}"
    rows.append([name, graphs, f"{median:.1f}", spread, f"{median / ddp_ms:.2f}"])
show(Table(["step", "graphs", "ms", "of nine", "of DDP, eager"], rows))
# region checks
split = measured["DDP, compiled"]
whole = measured["DDP, compiled, optimize_ddp=False"]
assert split.graphs > 1
assert whole.graphs == 1
assert measured["DDP, eager"].graphs == 0
assert measured["FSDP2, eager"].graphs == 0
# values for the page; least and most are those of the last row, FSDP2's blocks
one_ms = measured["one GPU, eager"].median_ms
one_compiled_ms = measured["one GPU, compiled"].median_ms
split_graphs = split.graphs
split_ms = split.median_ms
whole_ms = whole.median_ms
fsdp_ms = measured["FSDP2, eager"].median_ms
blocks_ms = measured["FSDP2, blocks compiled"].median_ms
least = measured["FSDP2, blocks compiled"].least_ms
most = measured["FSDP2, blocks compiled"].most_ms
# endregion
