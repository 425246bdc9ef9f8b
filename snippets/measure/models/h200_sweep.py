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

# four sizes in three modes are more versions than the usual eight
torch._dynamo.config.recompile_limit = 64
tuned, best = (
    compile_all(seconds=200),
    limits("cuda", torch.bfloat16, size=8192, copied=2**30),
)
print(f"{torch.cuda.get_device_name()}, launched from {cpu_name()}")
print(
    f"matrix product {best.matmul / 1e12:.0f} TFLOP/s, copy {best.copy / 1e12:.2f} TB/s"
)
modes, us, mib, shares = ("eager", *MODES, "max-autotune"), {}, {}, {}
for phase in PHASES:
    rows, panels = [], {name: {} for name in LARGE}
    columns = modes if phase == "inference" else modes[:-1]
    for name, lines in panels.items():
        search = tuned if (name, phase) == ("MLP", "inference") else ()
        for size, times, peaks, least in sweep(name, phase, best, search):
            for mode, time in times.items():
                lines.setdefault(mode, []).append((size, time))
            fastest = min(times, key=times.get)
            us[name, phase, size], mib[name, phase, size], shares[name, phase, size] = (
                times,
                peaks,
                least / times[fastest],
            )
            cells = [f"{times[mode]:,.0f}" if mode in times else "" for mode in columns]
            gain = f"{times['eager'] / times[fastest]:.2f}"
            rows.append(
                [
                    name,
                    str(size),
                    fastest,
                    gain,
                    f"{least / times[fastest]:.0%}",
                    *cells,
                ]
            )
    show(Plot(panels, "batch size", f"µs, {phase}"))
    show(
        Table(
            [
                phase,
                "batch",
                "fastest",
                "gain",
                "share of limit",
                *(f"{mode}, µs" for mode in columns),
            ],
            rows,
        )
    )

# region checks
# values for the page, such as cnn_training_256_default
for (name, phase, size), times in us.items():
    prefix = f"{name.split()[0].lower()}_{phase}_{size}"
    globals().update(
        {f"{prefix}_{mode.replace('-', '_')}": time for mode, time in times.items()}
    )
    globals().update(
        {
            f"{prefix}_gain": times["eager"] / min(times.values()),
            f"{prefix}_share": shares[name, phase, size],
        }
    )
    peaks = mib[name, phase, size]
    globals().update(
        {
            f"{prefix}_{mode}_mib": peaks[mode]
            for mode in ("eager", "default")
            if mode in peaks
        }
    )
tuned_sizes, tuning_s = len(tuned), sum(tuned.values())
matmul_tera, copy_tb = best.matmul / 1e12, best.copy / 1e12
assert len(us) == 24 and min(shares.values()) > 0
# endregion
