# /// lesson
# data = ["fidelity.json"]
# ///
"""Kernels written without a GPU, beside those a real H200 run wrote."""

import json
from pathlib import Path

from compile_lessons import Table, show

report = json.loads((Path(__file__).parent / "fidelity.json").read_text())
rows = report["rows"]
real_torch, cross_torch, device = report["torch"], report["cross_torch"], report["device"]

show(Table(["case", "kernels", "identical", "first difference"], [list(row.values()) for row in rows]))

cases = len(rows)
kernels = sum(row["kernels"] for row in rows)
identical = sum(row["identical"] for row in rows)
cases_that_differ = sum(bool(row["difference"]) for row in rows)
# region checks
assert cases >= 60
assert identical / kernels > 0.9
# endregion
