"""os.environ[...] is guarded; os.getenv is read once, while Dynamo traces, and has no guard."""

import os

import torch

from compile_lessons import Table, show

reads = {
    'os.environ["SCALE"]': lambda x: x * float(os.environ["SCALE"]),
    'os.getenv("SCALE")': lambda x: x * float(os.getenv("SCALE")),
}
rows = []
for code, function in reads.items():
    compiled, results = torch.compile(function, backend="eager"), []
    for scale in ("1", "2"):
        os.environ["SCALE"] = scale
        results.append([run(torch.ones(1)).item() for run in (function, compiled)])
    rows.append([code, *(f"{first:.0f}, {second:.0f}" for first, second in zip(*results, strict=True))])
show(Table(["SCALE is 1, then 2", "eager", "compiled"], rows))
# region checks
assert [row[1:] for row in rows] == [["1, 2", "1, 2"], ["1, 2", "1, 1"]]
del os.environ["SCALE"]
present = torch.compile(lambda x: x + ("SCALE" in os.environ), backend="eager")
absent = present(torch.ones(1)).item()
os.environ["SCALE"] = "1"
assert absent == present(torch.ones(1)).item() == 1  # stale too
# endregion
