# /// lesson
# data = ["fidelity.json", "fidelity_h100.json"]
# ///
"""Kernels written without a GPU, compared with those from real runs on an H200 and an H100."""

import json
from pathlib import Path

from compile_lessons import Table, show

folder = Path(__file__).parent
h200, h100 = (json.loads((folder / name).read_text()) for name in ("fidelity.json", "fidelity_h100.json"))
real_torch, cross_torch = h200["torch"], h200["cross_torch"]
device, other_device = h200["device"], h100["device"]

CAUSES = {
    "autocast": "two casts in the opposite order, so their numbers are swapped",
    "autocast_half": "two casts in the opposite order, so their numbers are swapped",
    "autocast_loss": "two casts in the opposite order, so their numbers are swapped",
    "squeeze_excite": "differs between runs on a GPU, probably because Inductor times padded matmuls",
    "attention_repeated": "torch 2.11 can't count the operations of repeated heads",
}
table = [
    [row["case"], row["kernels"], row["identical"], other["kernels"], other["identical"], CAUSES.get(row["case"], "")]
    for row, other in zip(h200["rows"], h100["rows"], strict=True)
]
columns = ["case", "kernels, H200", "identical", "kernels, H100", "identical", "cause of the difference"]
show(Table(columns, table))

cases = len(table)
kernels, identical, other_kernels, other_identical = (sum(row[column] for row in table) for column in range(1, 5))
cases_that_differ, other_cases_that_differ = (
    sum(bool(row["difference"]) for row in report["rows"]) for report in (h200, h100)
)
# region checks
assert cases >= 150 and identical / kernels > 0.95 and other_identical / other_kernels > 0.95
assert (h100["torch"], h100["cross_torch"]) == (real_torch, cross_torch)
for report in (h200, h100):
    assert {row["case"] for row in report["rows"] if row["difference"]} <= set(CAUSES)
# endregion
