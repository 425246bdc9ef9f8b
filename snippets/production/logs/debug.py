# /// lesson
# needs = ["compiler"]
# varies.output = ['fx_graph_runnable.py +\d+']
# env = {TORCH_LOGS = "-inductor"}
# ///
"""What TORCH_COMPILE_DEBUG=1 writes: here turned on by the settings behind it."""

import tempfile
from pathlib import Path

import torch

from compile_lessons import Table, show

folder = Path(tempfile.mkdtemp())
torch._dynamo.config.debug_dir_root = str(folder)
torch._inductor.config.trace.enabled = True


@torch.compile
def loss(x, w):
    return (torch.relu(x * w) + 1).sum()


loss(torch.ones(64), torch.ones(64, requires_grad=True)).backward()
files = sorted(path for path in folder.rglob("*") if path.is_file())
rows = [[path.parent.name, path.name, len(path.read_text().splitlines())] for path in files]
show(Table(["folder", "file", "lines"], rows))
# region checks
assert sum(row[1] == "output_code.py" for row in rows) == 2
# endregion
