# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+ KiB']
# varies.values = ["kind", "own"]
# ///
"""The files of one compile, by what they are."""

import os
from collections import Counter
from pathlib import Path

import torch

from compile_lessons import Table, show

KINDS = {
    "aotautograd": "AOTAutograd's cache: graphs and guards",
    "fxgraph": "FX graph cache: what Inductor made of one graph",
    ".py": "output code, the program that calls the kernels",
    ".cpp": "C++ source of the kernels",
    ".so": "compiled kernels",
}
layer = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())
torch.compile(layer)(torch.randn(8, 64)).sum().backward()

folder, files, sizes = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]), Counter(), Counter()
for path in folder.rglob("*"):
    kind = path.relative_to(folder).parts[0]
    kind = kind if kind in KINDS else path.suffix
    own = path.suffix != ".so" or path.with_suffix(".cpp").exists()
    if path.is_file() and kind in KINDS and own:
        files[kind] += 1
        sizes[kind] += path.stat().st_size
rows = [[kind, text, files[kind], f"{sizes[kind] / 1024:.0f} KiB"] for kind, text in KINDS.items() if files[kind]]
show(Table(["folder or suffix", "holds", "files", "size"], rows))
# region checks
assert files["aotautograd"] == 1 and files["fxgraph"] == files[".py"] == 2  # forward and backward
# endregion
