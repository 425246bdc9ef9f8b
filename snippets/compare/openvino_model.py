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


example = tuple(torch.rand(shape) for shape in ((4, 8), (8, 16), (16,), (16, 2), (2,)))
model = openvino.convert_model(torch.export.export(Call(), example))
operations = [operation.get_type_name() for operation in model.get_ordered_ops()]
print("model:   ", *(name for name in operations if name not in ("Parameter", "Constant", "Result")))
compiled = openvino.compile_model(model, "CPU")
for node in compiled.get_runtime_model().get_ordered_ops():
    info = node.get_rt_info()
    if (kind := info["layerType"].astype(str)) not in ("Input", "Output", "Const"):
        print(f"executed: {kind} ({info['primitiveType'].astype(str)}), for {info['originalLayersNames'].astype(str)}")
# region checks
(result,) = compiled([array.numpy() for array in example]).values()
torch.testing.assert_close(torch.from_numpy(result), mlp(*example))
# endregion
