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
rows = []
for path in sorted(folder.rglob("*.*")):
    if path.is_file():
        lines = path.read_text().splitlines()
        rows.append([path.parent.name, path.name, len(lines)])
show(Table(["folder", "file", "lines"], rows))

# region checks
assert [row[1] for row in rows].count("output_code.py") == 2
# endregion
