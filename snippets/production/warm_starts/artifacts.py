# /// lesson
# needs = ["compiler"]
# ///
"""Save the caches' entries as bytes, load them into an empty folder, and list them."""

import os
import tempfile
from pathlib import Path

import torch

from compile_lessons import Table, show

kinds = {
    "entries of AOTAutograd's cache": "aotautograd/*/*",
    "entries of the FX graph cache": "fxgraph/*/*/*",
    "compiled kernels": "??/*.main.so",
}


def count(folder):
    return [len(list(Path(folder).glob(pattern))) for pattern in kinds.values()]


first = tempfile.mkdtemp()
os.environ["TORCHINDUCTOR_CACHE_DIR"] = first
model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU())
with torch.no_grad():
    torch.compile(model)(torch.ones(16, 32))
# region save
saved, info = torch.compiler.save_cache_artifacts()
# endregion
second = tempfile.mkdtemp()
os.environ["TORCHINDUCTOR_CACHE_DIR"] = second  # as on another machine
# region load
torch.compiler.load_cache_artifacts(saved)
# endregion
columns = ["in the folder", "after compiling", "after loading"]
rows = zip(kinds, count(first), count(second), strict=True)
show(Table(columns, list(rows)))

# region checks
assert count(first) == [1, 1, 1]
assert count(second) == [1, 1, 0]
assert len(info.inductor_artifacts) == len(info.aot_autograd_artifacts) == 1
# endregion
