# /// lesson
# data = ["fidelity.json", "fidelity_h100.json"]
# ///
"""Kernels written without a GPU, compared with those from an H200 and an H100."""

import json
from pathlib import Path

from compile_lessons import Table, show

h200 = json.loads(Path(__file__).with_name("fidelity.json").read_text())
h100 = json.loads(Path(__file__).with_name("fidelity_h100.json").read_text())
CASTS = "two casts in the opposite order, so their numbers are swapped"
CAUSES = {
    "autocast": CASTS,
    "autocast_half": CASTS,
    "autocast_loss": CASTS,
    "squeeze_excite": "differs between runs, probably as Inductor times padded matmuls",
    "attention_repeated": "torch 2.11 can't count the operations of repeated heads",
}
rows = []
for one, other in zip(h200["rows"], h100["rows"], strict=True):
    on_h200 = [one["kernels"], one["identical"]]
    on_h100 = [other["kernels"], other["identical"]]
    rows.append([one["case"], *on_h200, *on_h100, CAUSES.get(one["case"], "")])
columns = ["case", "kernels, H200", "identical", "kernels, H100", "identical"]
show(Table([*columns, "cause of the difference"], rows))

real_torch = h200["torch"]
cross_torch = h200["cross_torch"]
device = h200["device"]
cases = len(rows)
kernels = sum(row["kernels"] for row in h200["rows"])
identical = sum(row["identical"] for row in h200["rows"])
other_kernels = sum(row["kernels"] for row in h100["rows"])
other_identical = sum(row["identical"] for row in h100["rows"])
cases_that_differ = sum(bool(row["difference"]) for row in h200["rows"])
other_cases_that_differ = sum(bool(row["difference"]) for row in h100["rows"])
# region checks
assert cases >= 150
assert identical / kernels > 0.95
assert other_identical / other_kernels > 0.95
assert (h100["torch"], h100["cross_torch"]) == (real_torch, cross_torch)
for report in (h200, h100):
    assert {row["case"] for row in report["rows"] if row["difference"]} <= set(CAUSES)
# endregion
