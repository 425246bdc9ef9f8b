# /// lesson
# needs = ["compiler"]
# ///
"""What a compile leaves on disk."""

import os
from collections import defaultdict
from pathlib import Path

import torch

from compile_lessons import Table, show

layer = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())
torch.compile(layer)(torch.randn(8, 64)).sum().backward()
folder, kinds = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]), defaultdict(list)
for path in folder.rglob("*"):
    if path.is_file():
        top = path.relative_to(folder).parts[0]
        kinds[top if len(top) > 2 else f"??/*{path.suffix}"].append(path.stat().st_size)
for top, sizes in sorted(kinds.items()): print(top, len(sizes), sum(sizes))
