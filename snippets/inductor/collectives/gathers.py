# /// lesson
# needs = ["compiler"]
# ///
"""When the weights of sharded layers are gathered, under four settings."""

import torch
import torch.distributed as dist
from _alone import calls, join_group

# no public name
from torch.distributed._functional_collectives import all_gather_tensor

from compile_lessons import Table, capture, show

join_group(2)


# region settings
def layers(x, shards):
    for shard in shards:
        weight = all_gather_tensor(shard, 0, dist.group.WORLD)
        x = (x @ weight).relu()
    return x


REORDER = "reorder_for_compute_comm_overlap"
settings = {
    "default": {},
    "reorder_for_peak_memory=False": {"reorder_for_peak_memory": False},
    "raise_comms": {REORDER: True, f"{REORDER}_passes": ["raise_comms"]},
    "bucket_all_gathers_fx": {"bucket_all_gathers_fx": "all"},
}
# endregion
x = torch.ones(64, 64)
shards = [torch.ones(32, 64) for _ in range(3)]
rows = []
for name, options in settings.items():
    with torch.no_grad():
        [graph] = capture(layers, options=options, machine_code=False)(x, shards).graphs
    rows.append([name, ", ".join(calls(graph.kernels))])
show(Table(["setting", "calls"], rows))
# region checks
default, memory, raised, bucket = (row[1] for row in rows)
assert default.index("mm") < default.index("all_gather 2")
assert memory.startswith("all_gather 1, all_gather 2, all_gather 3")
assert raised.startswith("all_gather 1, all_gather 2, all_gather 3")
assert bucket.count("all_gather") == 1
# endregion
