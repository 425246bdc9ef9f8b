# /// lesson
# data = ["measured.json"]
# ///
"""Ten functions, three sizes: step 4 compared with eager mode and Inductor, from one run of the benchmark."""

import json
import statistics
from pathlib import Path

from compile_lessons import Table, show

report = json.loads((Path(__file__).parent / "measured.json").read_text())
times, firsts, table = {}, [], {}
for row in report["rows"]:
    size = " x ".join(map(str, row["size"]))
    times.setdefault(size, {})[row["function"]] = row["to Inductor"], row["speedup"]
    firsts.append((row["first"]["step 4"], row["first"]["Inductor"]))
    for low, median, high in (row["to Inductor"], row["speedup"]):
        table.setdefault(row["function"], []).append(f"{median:.2f} ({low:.2f}-{high:.2f})")
names = [f"{size}: {what}" for size in times for what in ("to Inductor", "speedup")]
show(Table(["function", *names], [[name, *cells] for name, cells in table.items()]))

large = {name: (ratio[1], speedup[1]) for name, (ratio, speedup) in list(times.values())[-1].items()}
within = sum(to_inductor <= 1.3 for to_inductor, _ in large.values())
ahead = sum(speedup >= 1 for _, speedup in large.values())
slowest = max(large, key=lambda name: large[name][0])
least = min(large, key=lambda name: large[name][1])
worst, least_speedup = large[slowest][0], large[least][1]
first, first_inductor = (statistics.median(column) for column in zip(*firsts, strict=True))
quicker = sum(ours < inductor for ours, inductor in firsts)
torch_version, threads, cases = report["torch"], report["threads"], len(firsts)
print(f"first call, median: step 4 {first:.2f} s, Inductor {first_inductor:.2f} s")
# region checks
assert cases == 30 and len(large) == 10
# endregion
