# /// lesson
# data = ["h200_sweep.recording.json"]
# ///
"""How many times as fast as eager mode: the recorded times of the sweep as ratios."""

import json
from pathlib import Path

from compile_lessons import show
from compile_lessons.show.charts import Plot

recording = Path(__file__).with_name("h200_sweep.recording.json")
us = json.loads(recording.read_text())["values"]
models = {"MLP": "mlp", "CNN block": "cnn", "transformer block": "transformer"}
modes = {"eager": "eager", "default": "default", "reduce-overhead": "reduce_overhead"}


def ratios(model, phase, mode):
    points = []
    for size in (1, 16, 256, 4096):
        case = f"{model}_{phase}_{size}"
        points.append((size, us[f"{case}_eager"] / us[f"{case}_{mode}"]))
    return points


for phase in ("inference", "training"):
    panels = {}
    for title, model in models.items():
        panels[title] = {
            mode: ratios(model, phase, name) for mode, name in modes.items()
        }
    show(Plot(panels, "batch size", f"times as fast, {phase}", from_zero=True))
