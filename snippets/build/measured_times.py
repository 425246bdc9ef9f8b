# /// lesson
# data = ["measured.json"]
# ///
"""Step 4 compared with eager mode and Inductor: one run of the benchmark."""

import json
import statistics
from pathlib import Path

from compile_lessons import Table, show

report = json.loads((Path(__file__).parent / "measured.json").read_text())
ratios = ("to Inductor", "speedup")
names = ["function"]
cells = {}
for row in report["rows"]:
    size = " x ".join(map(str, row["size"]))
    for ratio in ratios:
        name = f"{size}: {ratio}"
        if name not in names:
            names.append(name)
        low, median, high = row[ratio]  # the quartiles
        cell = f"{median:.2f} ({low:.2f}-{high:.2f})"
        cells.setdefault(row["function"], []).append(cell)
show(Table(names, [[function, *row] for function, row in cells.items()]))

# the medians at the largest size, for the text of the page
largest = report["rows"][-1]["size"]
large = [row for row in report["rows"] if row["size"] == largest]
to_inductor = {row["function"]: row["to Inductor"][1] for row in large}
speedups = {row["function"]: row["speedup"][1] for row in large}
within = sum(ratio <= 1.3 for ratio in to_inductor.values())
ahead = sum(speedup >= 1 for speedup in speedups.values())
slowest = max(to_inductor, key=to_inductor.get)
worst = to_inductor[slowest]
least = min(speedups, key=speedups.get)
least_speedup = speedups[least]

# the first call, which compiles
firsts = [row["first"] for row in report["rows"]]
first = statistics.median(times["step 4"] for times in firsts)
first_inductor = statistics.median(times["Inductor"] for times in firsts)
quicker = sum(times["step 4"] < times["Inductor"] for times in firsts)
print(f"first call, median: step 4 {first:.2f} s, Inductor {first_inductor:.2f} s")

torch_version = report["torch"]
threads = report["threads"]
cases = len(firsts)
# region checks
assert cases == 30
assert len(large) == 10
# endregion
