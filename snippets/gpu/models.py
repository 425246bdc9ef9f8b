# /// lesson
# data = ["models.json"]
# ///
"""24 models and training steps: kernels written without a GPU and on an H200, and the CPU compared with eager mode."""

import json
from pathlib import Path

from compile_lessons import Table, show

report = json.loads((Path(__file__).parent / "models.json").read_text())
device, real_torch, rows = report["device"], report["versions"]["torch"], report["rows"]

# Why a model's kernels differ in more than a number, as far as known.
PADDED = "Inductor times padded matmuls on the GPU, and pads some"
IN_PLACE = "only one of the two has a kernel that writes into its input; not explained"
CAUSES = {
    **dict.fromkeys(("Whisper", "CLIP"), PADDED),
    **dict.fromkeys(("Swin", "Mamba2", "Qwen3", "Mistral", "DistilBERT", "Llama, static cache"), IN_PLACE),
    "torchvision Faster R-CNN": "different boxes, so different graphs; not explained further",
    "SAM": "the real run fails: a gradient's strides aren't those that torch expected",
    **{row["model"]: f"no capture: {row['failures'][0][:70]}" for row in rows if row["failures"]},
}
columns = ["described_kernels", "machine_code", "kernels", "identical", "same_but_numbers", "verdict"]
titles = ["without a GPU", "machine code", "H200", "identical", "but for numbers", "CPU and eager", "why"]
counts = ("same_but_numbers", "described_kernels", "kernels")
differ = {row["model"] for row in rows if row["failures"] or len({row.get(column) for column in counts}) > 1}
table = [[row["model"], *(row.get(it, "failed") for it in columns)] for row in rows]
show(Table(["model", *titles], [[*row, CAUSES.get(row[0], "not explained") * (row[0] in differ)] for row in table]))

models, equal = len(rows), sum(row.get("verdict") == "equal" for row in rows)
reach_machine_code = sum(0 < row["described_kernels"] == row["machine_code"] for row in rows)
kernels, identical, same_but_numbers = (sum(row.get(column, 0) for row in rows) for column in columns[2:5])
# region checks
assert (models, device) == (24, "NVIDIA H200")
assert identical <= same_but_numbers <= kernels
assert reach_machine_code == sum(not row["failures"] for row in rows)
# endregion
