# /// lesson
# data = [
#     "torch_functions.recording.json", "torchscript_functions.recording.json", "export_functions.recording.json",
#     "onnx_functions.recording.json", "openvino_functions.recording.json", "jax_functions.recording.json",
#     "tensorflow_functions.recording.json", "mlx_functions.recording.json",
# ]
# ///
"""How each tool handles the branch, the new sizes and the training step: read from the recordings of this part."""

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


def word(values, name):
    """Return "right", the type of what came in place of a tensor, or nothing if it wasn't tried."""
    return values.get(name, "").replace("as eager", "right")


rows = []
for file, tool in TOOLS.items():
    values = json.loads(Path(__file__).with_name(f"{file}_functions.recording.json").read_text())["values"]
    sizes = word(values, "sizes") + (f", {values['versions']} versions" if "versions" in values else "")
    sizes += f"; declared: {word(values, 'sizes_declared')}" if "sizes_declared" in values else ""
    rows.append([tool, word(values, "as_is"), word(values, "rewritten"), sizes, word(values, "training")])
show(Table(["compiled by", "if on data", "branch rewritten", "four sizes", "training step"], rows))
# region checks
assert [row[0] for row in rows if row[1] == "right"] == [
    "torch.compile",
    "torch.jit.script",
    "torch.compile, OpenVINO",
    "tf.function(jit_compile=True)",
]
assert [row[0] for row in rows if row[4] != "right"] == list(TOOLS.values())[1:4]
# endregion
