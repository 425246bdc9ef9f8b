# /// lesson
# data = ["numerics.json"]
# ///
"""Kernels written for an H200, run on a CPU and compared with eager mode."""

import json
from pathlib import Path

from compile_lessons import Table, show

report = json.loads(Path(__file__).with_name("numerics.json").read_text())
torch_version = report["torch"]
triton_version = report["triton"]
rows = report["rows"]


def number(value):
    return "" if value is None else f"{value:.1e}"


cells = []
for row in rows:
    differences = [number(row["error"]), number(row["tolerance"])]
    cells.append([row["case"], row["kernels"], *differences, row["why"]])
show(Table(["case", "kernels", "largest difference", "tolerance", "why"], cells))

compared = [row for row in rows if row["equal"] is not None]
cases = len(rows)
kernels = sum(row["kernels"] for row in rows)
cases_compared = len(compared)
kernels_compared = sum(row["kernels"] for row in compared)
cases_equal = sum(row["equal"] for row in compared)
cases_over = cases_compared - cases_equal
cases_random = sum(row["why"].startswith("runs;") for row in rows)
cases_not_run = sum(row["why"].startswith("can't run") for row in rows)
# region checks
assert cases == cases_compared + cases_random + cases_not_run
assert cases_equal / cases > 0.8
assert all(row["why"] for row in rows if not row["equal"])
# endregion
