# /// lesson
# data = ["measured.json"]
# ///
"""Ten functions, three sizes: step 4 beside eager mode and Inductor, from one run of the benchmark."""

import json
import statistics
from pathlib import Path

from compile_lessons import Table, show

report = json.loads((Path(__file__).parent / "measured.json").read_text())
times, firsts, table = {}, [], []
for row in report["rows"]:
    name, seconds, size = row["function"], row["seconds"], " x ".join(map(str, row["size"]))
    times.setdefault(size, {})[name] = seconds["step 4"] / seconds["Inductor"], seconds["eager"] / seconds["step 4"]
    firsts.append((row["first"]["step 4"], row["first"]["Inductor"]))
for name in next(iter(times.values())):
    table.append([name, *(f"{ratio:.2f}" for size in times.values() for ratio in size[name])])
show(Table(["function", *(f"{size}: {what}" for size in times for what in ("to Inductor", "speedup"))], table))

large = list(times.values())[-1]
within = sum(to_inductor <= 1.3 for to_inductor, _ in large.values())
ahead = sum(speedup >= 1 for _, speedup in large.values())
worst = max(to_inductor for to_inductor, _ in large.values())
slowest = max(large, key=lambda name: large[name][0])
first, first_inductor = (statistics.median(column) for column in zip(*firsts, strict=True))
quicker = sum(ours < inductor for ours, inductor in firsts)
torch_version, threads, cases = report["torch"], report["threads"], len(firsts)
print(f"first call, median: step 4 {first:.2f} s, Inductor {first_inductor:.2f} s")
# region checks
assert cases == 30 and len(large) == 10
# endregion
