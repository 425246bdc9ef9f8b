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

import torch

warnings.simplefilter("ignore")
torch._inductor.config.aot_inductor.precompile_headers = False  # worth it for more than one package only
torch._inductor.config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
model = torch.nn.Sequential(torch.nn.Softplus(), torch.nn.Hardswish()).eval()
# region package
x, folder = torch.randn(8, 64), tempfile.mkdtemp()
batch = torch.export.Dim("batch", min=1, max=1024)
exported = torch.export.export(model, (x,), dynamic_shapes=({0: batch},))
path = torch._inductor.aoti_compile_and_package(exported, package_path=f"{folder}/model.pt2")
loaded = torch._inductor.aoti_load_package(path)
torch.testing.assert_close(loaded(x[:3]), model(x[:3]))
# endregion
for file in zipfile.ZipFile(path).infolist():
    if "aotinductor" in file.filename:
        print(f"{file.file_size / 1024:6.1f} KiB .{file.filename.partition('.')[2]}")
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
torch.testing.assert_close(checked(x), model(x))
assert not torch.allclose(loaded(wrong["transposed"]), model(wrong["transposed"]))
training = torch.export.export(torch.nn.Dropout(), (x,)).module()
assert (training(x) == 0).any()
try:
    training.eval()
    raise AssertionError("an exported module has eval()")
except NotImplementedError:
    pass
# endregion
