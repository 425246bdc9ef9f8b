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

CAUSES = {
    "autocast": "two casts in the other order, so their numbers are swapped",
    "autocast_half": "two casts in the other order, so their numbers are swapped",
    "autocast_loss": "two casts in the other order, so their numbers are swapped",
    "bicubic": "a decomposition with a branch on the CPU, which stacks and unbinds",
    "attention_bool_mask": "refused: torch 2.11 leaves the mask to cuDNN's version",
    "attention_repeated": "torch 2.11 can't count the operations of repeated heads",
}
table = [[row["case"], row["kernels"], row["identical"], CAUSES.get(row["case"], "")] for row in rows]
show(Table(["case", "kernels", "identical", "cause of the difference"], table))

cases = len(rows)
kernels = sum(row["kernels"] for row in rows)
identical = sum(row["identical"] for row in rows)
cases_that_differ = sum(bool(row["difference"]) for row in rows)
# region checks
assert cases >= 150 and identical / kernels > 0.95
assert {row["case"] for row in rows if row["difference"]} == set(CAUSES)
# endregion
