# /// lesson
# needs = ["compiler"]
# ///
"""A pass moves a read behind the write, and the whole cache is copied."""

import re

import torch

from compile_lessons import Table, capture, show


def decode(cache, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return (cache * q).sum(-1) - (old * q).sum(-1)


cache = torch.zeros(4, 1024, 64)
arguments = cache, torch.ones(4, 1, 64), torch.tensor([3]), torch.ones(64)
rows = []
for setting in (True, False):
    options = {"reorder_for_locality": setting}
    with torch.no_grad():
        pipeline = capture(decode, options=options, machine_code=False)(*arguments)
    [graph] = pipeline.graphs
    lowered = graph.inductor[0]
    order = " ".join(node.name for node in lowered.post_grad.calls)
    [write] = [node for node in lowered.ir if "tmp0" in node.text.splitlines()[1]]
    [waits] = re.findall(r"unmet_dependencies = (.*)", write.text)
    times = sum(kernel.bytes for kernel in graph.kernels) / cache.nbytes
    rows.append([setting, order, waits, f"{times:.1f}"])
columns = ["reorder_for_locality", "graph", "the write waits for", "cache moved, times"]
show(Table(columns, rows))
# region checks
assert rows[0][1].startswith("index_put ") and rows[0][1].endswith("copy_")
assert rows[1][1].startswith("index index_put ") and "copy_" not in rows[1][1]
assert "StarDep" in rows[0][2] and "WeakDep" in rows[1][2]
assert float(rows[0][3]) > 2 * float(rows[1][3])
# endregion
