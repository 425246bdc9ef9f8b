# /// lesson
# data = ["numerics.json"]
# ///
"""Kernels written for an H200, run on a CPU and compared with eager mode."""

import json
from pathlib import Path

from compile_lessons import Table, show

report = json.loads((Path(__file__).parent / "numerics.json").read_text())
rows = report["rows"]
torch_version, triton_version = report["torch"], report["triton"]


def cells(row):
    error, tolerance = ("" if row[name] is None else f"{row[name]:.1e}" for name in ("error", "tolerance"))
    return [row["case"], row["kernels"], error, tolerance, row["why"]]


show(Table(["case", "kernels", "largest difference", "tolerance", "why"], [cells(row) for row in rows]))

cases, kernels = len(rows), sum(row["kernels"] for row in rows)
compared = [row for row in rows if row["equal"] is not None]
cases_compared, kernels_compared = len(compared), sum(row["kernels"] for row in compared)
cases_equal = sum(row["equal"] for row in compared)
cases_over = cases_compared - cases_equal
cases_random = sum(row["why"].startswith("runs;") for row in rows)
cases_not_run = sum(row["why"].startswith("can't run") for row in rows)
# region checks
assert cases == cases_compared + cases_random + cases_not_run
assert cases_equal / cases > 0.8
assert all(row["why"] for row in rows if not row["equal"])
# endregion
