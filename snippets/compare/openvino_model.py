# /// lesson
# needs = ["peers"]
# ///
"""The MLP in OpenVINO: the model, and what its CPU plugin executes."""

import warnings

warnings.simplefilter("ignore")
import openvino
import torch
from five import mlp


class Call(torch.nn.Module):
    def forward(self, x, *weights):
        return mlp(x, *weights)


SHAPES = ((4, 8), (8, 16), (16,), (16, 2), (2,))
example = tuple(torch.rand(shape) for shape in SHAPES)
model = openvino.convert_model(torch.export.export(Call(), example))
operations = [operation.get_type_name() for operation in model.get_ordered_ops()]
data = ("Parameter", "Constant", "Result")
print("model:   ", *(name for name in operations if name not in data))
in_float32 = {"INFERENCE_PRECISION_HINT": "f32"}
compiled = openvino.compile_model(model, "CPU", in_float32)
for node in compiled.get_runtime_model().get_ordered_ops():
    info = node.get_rt_info()
    kind = info["layerType"].astype(str)
    if kind not in ("Input", "Output", "Const"):
        primitive = info["primitiveType"].astype(str)
        layers = info["originalLayersNames"].astype(str)
        print(f"executed: {kind} ({primitive}), for {layers}")
# region checks
(result,) = compiled([array.numpy() for array in example]).values()
torch.testing.assert_close(torch.from_numpy(result), mlp(*example))
# endregion
