# /// lesson
# needs = ["compiler"]
# ///
"""A scheduler that doesn't fuse a reduction with the loops that read its result."""

import torch

# private: torch has no public way to change what the scheduler fuses
from torch._inductor.choices import InductorChoices
from torch._inductor.virtualized import V  # private, as above

from compile_lessons import Table, capture, show


class KeepReductionsApart(InductorChoices):
    @staticmethod
    def can_fuse_vertical(scheduler, node1, node2, shared_data_score):
        return not node1.is_reduction()


scores = torch.randn(64, 128)
rows = []
for choices in (InductorChoices(), KeepReductionsApart()):
    with V.set_choices_handler(choices):
        [graph] = capture(torch.softmax, machine_code=False)(scores, -1).graphs
    fused = [" + ".join(node.members) for node in graph.inductor[0].fused]
    rows.append([type(choices).__name__, ", ".join(fused)])
show(Table(["choices", "scheduler nodes after fusion"], rows))
# region checks
assert [row[1] for row in rows] == ["op0 + op1 + op2 + op3", "op0, op1 + op2, op3"]
# endregion
