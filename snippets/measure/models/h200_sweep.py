# /// lesson
# needs = ["gpu", "triton"]
# memory = 100000
# timeout = 500
# ///
"""Three models at batch sizes 1 to 4096: eager, three modes, inference and training."""

import torch
from _models import LARGE, PHASES
from _sweep import MODES, compile_all, cpu_name, sweep

from compile_lessons import Table, show
from compile_lessons.bench import limits
from compile_lessons.show.charts import Plot

# region measure
# four sizes in three modes are more versions than the usual eight
torch.compiler.config.recompile_limit = 64
tuning_seconds = compile_all(seconds=200)  # by batch size
best = limits("cuda", torch.bfloat16, size=8192, copied=2**30)
results = {}
for phase in PHASES:
    for name in LARGE:
        tuned_here = (name, phase) == ("MLP", "inference")
        tuned = tuning_seconds if tuned_here else ()
        results[phase, name] = sweep(name, phase, best, tuned)
# endregion
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}")
matmul_tera = best.matmul / 1e12
copy_tb = best.copy / 1e12
print(f"matrix product {matmul_tera:.0f} TFLOP/s, copy {copy_tb:.2f} TB/s")


# region show
def lines(by_size):
    """Return the points of each mode: batch size and µs."""
    points = {}
    for result in by_size:
        for mode, us in result.us.items():
            points.setdefault(mode, []).append((result.size, us))
    return points


def row(name, result, columns):
    us = result.us
    times = [f"{us[mode]:,.0f}" if mode in us else "" for mode in columns]
    share = f"{result.share_of_limit:.0%}"
    return [name, str(result.size), result.fastest, f"{result.gain:.2f}", share, *times]


modes = {
    "inference": ("eager", *MODES, "max-autotune"),
    "training": ("eager", *MODES),
}
for phase in PHASES:
    panels = {name: lines(results[phase, name]) for name in LARGE}
    show(Plot(panels, "batch size", f"µs, {phase}"))
    rows = []
    for name in LARGE:
        rows += [row(name, result, modes[phase]) for result in results[phase, name]]
    head = [phase, "batch", "fastest", "gain", "share of limit"]
    show(Table(head + [f"{mode}, µs" for mode in modes[phase]], rows))
# endregion


# region checks
def page_values(prefix, result):
    """Return what the page quotes, by names such as cnn_training_256_default."""
    values = {f"{prefix}_gain": result.gain, f"{prefix}_share": result.share_of_limit}
    for mode, us in result.us.items():
        values[f"{prefix}_{mode.replace('-', '_')}"] = us
    for mode in ("eager", "default"):
        if mode in result.peak_mib:
            values[f"{prefix}_{mode}_mib"] = result.peak_mib[mode]
    return values


for (phase, name), by_size in results.items():
    for result in by_size:
        prefix = f"{name.split()[0].lower()}_{phase}_{result.size}"
        globals().update(page_values(prefix, result))
        assert result.share_of_limit > 0
tuned_sizes = len(tuning_seconds)
tuning_s = sum(tuning_seconds.values())
assert sum(map(len, results.values())) == 24
# endregion
