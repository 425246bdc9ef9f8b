# /// lesson
# data = ["h200_steps.recording.json"]
# ///
"""The steps on two H200s, compared with one GPU in the same mode and with eager DDP."""

import json
from pathlib import Path

from compile_lessons import Table, show

recording = Path(__file__).with_name("h200_steps.recording.json")
ms = json.loads(recording.read_text())["values"]
names = {
    "one_ms": "one GPU, eager",
    "one_compiled_ms": "one GPU, compiled",
    "ddp_ms": "DDP, eager",
    "split_ms": "DDP, compiled: a graph for each bucket",
    "whole_ms": "DDP, compiled with optimize_ddp=False",
    "fsdp_ms": "FSDP2, eager",
    "blocks_ms": "FSDP2, blocks compiled",
}
rows = []
for name, title in names.items():
    of_one = ms[name] / ms["one_ms"]
    of_ddp = ms[name] / ms["ddp_ms"]
    rows.append([title, f"{ms[name]:.1f}", f"{of_one:.2f}", f"{of_ddp:.2f}"])
show(Table(["training step", "ms, median", "of one GPU, eager", "of DDP, eager"], rows))
whole_of_split = ms["whole_ms"] / ms["split_ms"]
