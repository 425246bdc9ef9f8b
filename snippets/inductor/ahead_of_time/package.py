# /// lesson
# needs = ["compiler"]
# timeout = 400
# varies.output = ['\d+\.\d KiB']
# ///
"""Export a model, compile it into a package, load it, and call it with wrong inputs."""

import os
import tempfile
import warnings
import zipfile

import torch
from torch._inductor import config

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # worth it for several packages only
config.aot_inductor.compile_wrapper_opt_level = "O0"  # compiles in less time
model = torch.nn.Sequential(torch.nn.Softplus(), torch.nn.Hardswish()).eval()
# region package
# the two functions are documented, although torch._inductor looks private
from torch._inductor import aoti_compile_and_package, aoti_load_package

x = torch.randn(8, 64)
path = f"{tempfile.mkdtemp()}/model.pt2"
batch = torch.export.Dim("batch", min=1, max=1024)
exported = torch.export.export(model, (x,), dynamic_shapes=({0: batch},))
aoti_compile_and_package(exported, package_path=path)
loaded = aoti_load_package(path)
torch.testing.assert_close(loaded(x[:3]), model(x[:3]))
# endregion
for file in zipfile.ZipFile(path).infolist():
    if "aotinductor" in file.filename:
        print(f"{file.file_size / 1024:6.1f} KiB .{file.filename.partition('.')[2]}")
# region unchecked
wrong = {
    "float64": x.double(),
    "transposed": torch.randn(64, 8).t(),
    "32 columns": x[:, :32],
}
for name, value in wrong.items():
    print(f"{name}: returns {list(loaded(value).shape)}")
# endregion
# region checked
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # read at a loaded package's first call
checked = aoti_load_package(path)
for name, value in wrong.items():
    try:
        checked(value)
    except RuntimeError as error:
        print(f"{name}: {str(error).splitlines()[0]}")
# endregion
# region checks
torch.testing.assert_close(checked(x), model(x))
assert not torch.allclose(loaded(wrong["transposed"]), model(wrong["transposed"]))
# endregion
