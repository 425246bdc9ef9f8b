# /// lesson
# data = ["h200_sweep.recording.json"]
# ///
"""How many times as fast as eager mode: the recorded times of the sweep as ratios."""

import json
from pathlib import Path

from compile_lessons import show
from compile_lessons.show.charts import Plot

us = json.loads(Path(__file__).with_name("h200_sweep.recording.json").read_text())["values"]
models = {"MLP": "mlp", "CNN block": "cnn", "transformer block": "transformer"}
modes = {"eager": "eager", "default": "default", "reduce-overhead": "reduce_overhead"}
SIZES = (1, 16, 256, 4096)


def ratios(model, phase, mode):
    return [(size, us[f"{model}_{phase}_{size}_eager"] / us[f"{model}_{phase}_{size}_{mode}"]) for size in SIZES]


for phase in ("inference", "training"):
    lines = {
        title: {mode: ratios(model, phase, name) for mode, name in modes.items()} for title, model in models.items()
    }
    show(Plot(lines, "batch size", f"times as fast, {phase}", from_zero=True))
