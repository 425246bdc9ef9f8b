# /// lesson
# needs = ["triton"]
# ///
"""A cast before a matmul is a kernel of its own, which writes the weights again."""

import torch

from compile_lessons import Table, capture, show


def layer(x, weight):
    return x @ weight.to(torch.bfloat16)


x = torch.empty(16, 8192, dtype=torch.bfloat16)
weight = torch.empty(8192, 8192, dtype=torch.int8)
[graph] = capture(layer, target="h200", machine_code=False)(x, weight).graphs
rows = [[kernel.name, f"{kernel.bytes / 2**20:.0f} MiB"] for kernel in graph.kernels]
show(Table(["kernel", "bytes read and written"], rows))
# region checks
assert [row[0] for row in rows] == ["triton_poi_fused__to_copy_0", "extern_kernels.mm"]
# endregion
