# /// lesson
# needs = ["compiler"]
# ///
"""A pass moves a read after the write, and the whole cache is copied."""

import torch

from compile_lessons import capture


def decode(cache, row, position, q):
    old = cache[:, position].clone()
    cache[:, position] = row
    return (cache * q).sum(-1) - (old * q).sum(-1)


def print_order(pipeline):
    [graph] = pipeline.graphs
    print(*[node.name for node in graph.inductor[0].post_grad.calls])
    moved = sum(kernel.bytes for kernel in graph.kernels) / cache.nbytes
    print(f"    moves {moved:.1f} times the bytes of the cache")


cache = torch.zeros(4, 1024, 64)
inputs = cache, torch.ones(4, 1, 64), torch.tensor([3]), torch.ones(64)
no_pass = {"reorder_for_locality": False}
with torch.no_grad():
    with_pass = capture(decode, machine_code=False)(*inputs)
    without_pass = capture(decode, options=no_pass, machine_code=False)(*inputs)
print_order(with_pass)
print_order(without_pass)

# region checks
order = [node.name for node in with_pass.graphs[0].inductor[0].post_grad.calls]
assert order[0] == "index_put" and order[-1] == "copy_"
order = [node.name for node in without_pass.graphs[0].inductor[0].post_grad.calls]
assert order[:2] == ["index", "index_put"] and "copy_" not in order
# endregion
