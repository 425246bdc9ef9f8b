# /// lesson
# data = [
#     "torch_functions.recording.json",
#     "torchscript_functions.recording.json",
#     "export_functions.recording.json",
#     "onnx_functions.recording.json",
#     "openvino_functions.recording.json",
#     "jax_functions.recording.json",
#     "tensorflow_functions.recording.json",
#     "mlx_functions.recording.json",
# ]
# ///
"""How each tool handles the branch, the new sizes and the training step."""

import json
from pathlib import Path

from compile_lessons import Table, show

TOOLS = {
    "torch": "torch.compile",
    "torchscript": "torch.jit.script",
    "export": "torch.export",
    "onnx": "torch.onnx.export, ONNX Runtime",
    "openvino": "torch.compile, OpenVINO",
    "jax": "jax.jit",
    "tensorflow": "tf.function(jit_compile=True)",
    "mlx": "mx.compile",
}


def recorded_values(tool):
    """Return the outcomes by name: "right", or the type of what came instead."""
    path = Path(__file__).with_name(f"{tool}_functions.recording.json")
    values = json.loads(path.read_text())["values"]
    return {
        name: str(value).replace("as eager", "right") for name, value in values.items()
    }


rows = []
for tool, name in TOOLS.items():
    values = recorded_values(tool)
    sizes = values.get("sizes", "")
    if "versions" in values:
        sizes += f", {values['versions']} versions"
    if "sizes_declared" in values:
        sizes += f"; declared: {values['sizes_declared']}"
    branch = [values.get("as_is", ""), values.get("rewritten", "")]
    rows.append([name, *branch, sizes, values.get("training", "")])
columns = ["if on data", "branch rewritten", "four sizes", "training step"]
show(Table(["compiled by", *columns], rows))
# region checks
assert [row[0] for row in rows if row[1] == "right"] == [
    "torch.compile",
    "torch.jit.script",
    "torch.compile, OpenVINO",
    "tf.function(jit_compile=True)",
]
assert [row[0] for row in rows if row[4] != "right"] == list(TOOLS.values())[1:4]
# endregion
