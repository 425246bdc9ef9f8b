# /// lesson
# data = ["models.json"]
# ///
"""24 models and training steps: kernels written without a GPU and on an H200."""

import json
from pathlib import Path

from compile_lessons import Table, show

report = json.loads(Path(__file__).with_name("models.json").read_text())
device = report["device"]
real_torch = report["versions"]["torch"]

# Why a model's kernels differ in more than a number, as far as known.
PADDED = "Inductor times padded matmuls on the GPU, and pads some"
IN_PLACE = "only one of the two has a kernel that writes into its input; not explained"
CAUSES = {
    "Whisper": PADDED,
    "CLIP": PADDED,
    "Swin": IN_PLACE,
    "Mamba2": IN_PLACE,
    "Qwen3": IN_PLACE,
    "Mistral": IN_PLACE,
    "DistilBERT": IN_PLACE,
    "Llama, static cache": IN_PLACE,
    "torchvision Faster R-CNN": "different boxes, so different graphs; no other cause",
    "SAM": "the real run fails: a gradient's strides aren't those that torch expected",
}
COLUMNS = {
    "described_kernels": "without a GPU",
    "machine_code": "machine code",
    "kernels": "H200",
    "identical": "identical",
    "same_but_numbers": "but for numbers",
    "verdict": "CPU and eager",
}


def why(row):
    """Return why a model's kernels differ, or nothing if they don't."""
    if row["failures"]:
        return f"no capture: {row['failures'][0][:70]}"
    counts = {
        row.get(name) for name in ("same_but_numbers", "described_kernels", "kernels")
    }
    return CAUSES.get(row["model"], "not explained") if len(counts) > 1 else ""


rows = report["rows"]
cells = [
    [row["model"], *(row.get(name, "failed") for name in COLUMNS), why(row)]
    for row in rows
]
show(Table(["model", *COLUMNS.values(), "why"], cells))

models = len(rows)
equal = sum(row.get("verdict") == "equal" for row in rows)
described = [row for row in rows if row["described_kernels"] > 0]
reach_machine_code = sum(
    row["described_kernels"] == row["machine_code"] for row in described
)
kernels = sum(row.get("kernels", 0) for row in rows)
identical = sum(row.get("identical", 0) for row in rows)
same_but_numbers = sum(row.get("same_but_numbers", 0) for row in rows)
# region checks
assert (models, device) == (24, "NVIDIA H200")
assert identical <= same_but_numbers <= kernels
assert reach_machine_code == sum(not row["failures"] for row in rows)
# endregion
