# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+ KiB']
# ///
"""The files of one compile, by what they are."""

import os
from pathlib import Path

import torch

from compile_lessons import Table, show

layer = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())
torch.compile(layer)(torch.randn(8, 64)).sum().backward()

# torch sets this variable when it creates the folder
folder = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"])
files = [path for path in folder.rglob("*") if path.is_file()]
# other libraries come from torch's own checks of the compiler
libraries = [path for path in files if path.with_suffix(".cpp").exists()]
kinds = {
    "AOTAutograd's cache: graphs and guards": folder.rglob("aotautograd/**/*"),
    "FX graph cache: what Inductor made of one graph": folder.rglob("fxgraph/**/*"),
    "output code, the program that calls the kernels": folder.rglob("*.py"),
    "C++ source of the kernels": folder.rglob("*.cpp"),
    "compiled kernels": [path for path in libraries if path.suffix == ".so"],
}
rows = []
for kind, paths in kinds.items():
    sizes = [path.stat().st_size for path in paths if path.is_file()]
    rows.append([kind, len(sizes), f"{sum(sizes) / 1024:.0f} KiB"])
show(Table(["files that hold", "files", "size"], rows))
# region checks
assert rows[0][1] == 1
assert rows[1][1] == rows[2][1] == 2  # forward and backward
# endregion
