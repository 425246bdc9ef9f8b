# /// lesson
# needs = ["compiler"]
# ///
"""The instructions that a package's code may use: simdlen and march."""

import json
import tempfile
import warnings
import zipfile

import torch
from torch._inductor import aoti_compile_and_package, config  # documented, not private

warnings.simplefilter("ignore")
config.aot_inductor.precompile_headers = False  # nothing is compiled here
exported = torch.export.export(torch.nn.Softplus(), (torch.ones(8, 64),))


# region flags
def read_target(configs):
    """Return the vector extension and the flag for the compiler in a package."""
    path = f"{tempfile.mkdtemp()}/model.pt2"
    only_source = {"aot_inductor.package_cpp_only": True}
    configs = {**only_source, **configs}
    aoti_compile_and_package(exported, package_path=path, inductor_configs=configs)
    with zipfile.ZipFile(path) as package:
        files = {name.rpartition("wrapper")[2]: name for name in package.namelist()}
        metadata = json.loads(package.read(files["_metadata.json"]))
        flags = json.loads(package.read(files["_compile_flags.json"]))
    [march] = [flag for flag in flags["cflags"] if "march" in flag or "mcpu" in flag]
    return metadata["AOTI_CPU_ISA"], march


older = {"cpp.simdlen": 256}
print("default:", *read_target({}))
print("simdlen:", *read_target(older))
print("simdlen and march:", *read_target({**older, "cpp.march": "x86-64-v3"}))
# endregion
