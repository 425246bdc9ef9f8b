# /// lesson
# needs = ["compiler"]
# timeout = 400
# varies.output = ['\d+\.\d KiB']
# ///
"""Export a model, compile it into a package, load it, and call it with inputs that don't fit."""

import os
import tempfile
import warnings
import zipfile
from pathlib import Path

import torch

warnings.simplefilter("ignore")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.full((64,), 2.0))

    def forward(self, x):
        return torch.relu(x) * self.scale + 1


# region package
model, x, folder = Model().eval(), torch.randn(8, 64), tempfile.mkdtemp()
batch = torch.export.Dim("batch", min=1, max=1024)
exported = torch.export.export(model, (x,), dynamic_shapes=({0: batch},))
path = torch._inductor.aoti_compile_and_package(exported, package_path=f"{folder}/model.pt2")
loaded = torch._inductor.aoti_load_package(path)
print("equal for batches 8 and 3:", *(torch.equal(loaded(x[:n]), model(x[:n])) for n in (8, 3)))
# endregion
# region files
for file in zipfile.ZipFile(path).infolist():
    name = Path(file.filename)
    if "aotinductor" in file.filename:
        print(f"{file.file_size / 1024:6.1f} KiB {''.join(name.suffixes)}")
# endregion
# region unchecked
wrong = {"float64": x.double(), "transposed": torch.randn(64, 8).t(), "32 columns": x[:, :32]}
for name, value in wrong.items():
    print(f"{name}: returns {list(loaded(value).shape)}")
# endregion
# region checked
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # read at the first call of a loaded package
checked = torch._inductor.aoti_load_package(path)
for name, value in wrong.items():
    try:
        checked(value)
    except RuntimeError as error:
        print(f"{name}: {str(error).splitlines()[0]}")
# endregion
# region checks
assert torch.equal(checked(x), model(x))
assert not torch.equal(loaded(wrong["transposed"]), model(wrong["transposed"]))
# endregion
