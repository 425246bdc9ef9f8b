# /// lesson
# data = ["h200_steps.recording.json"]
# ///
"""The steps on two H200s, compared with one GPU in the same mode and with DDP in eager mode."""

import json
from pathlib import Path

from compile_lessons import Table, show

values = json.loads(Path(__file__).with_name("h200_steps.recording.json").read_text())["values"]
NAMES = {
    "one_ms": "one GPU, eager",
    "one_compiled_ms": "one GPU, compiled",
    "ddp_ms": "DDP, eager",
    "split_ms": "DDP, compiled: a graph for each bucket",
    "whole_ms": "DDP, compiled with optimize_ddp=False",
    "fsdp_ms": "FSDP2, eager",
    "blocks_ms": "FSDP2, blocks compiled",
}
rows = [
    [title, f"{values[name]:.1f}", f"{values[name] / values['one_ms']:.2f}", f"{values[name] / values['ddp_ms']:.2f}"]
    for name, title in NAMES.items()
]
show(Table(["training step", "ms, median", "of one GPU, eager", "of DDP, eager"], rows))
whole_of_split = values["whole_ms"] / values["split_ms"]
