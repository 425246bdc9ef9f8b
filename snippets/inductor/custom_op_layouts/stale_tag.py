# /// lesson
# needs = ["compiler"]
# ///
"""Add a tag to an operator, and compile again with the same cache folder."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show

strides = []


# region operator
def define(name, *tags):
    @torch.library.custom_op(name, mutates_args=(), tags=tags)
    def note_strides(x: torch.Tensor) -> torch.Tensor:
        strides.append(x.stride())
        return x.new_zeros(1)

    note_strides.register_fake(lambda x: x.new_empty(1))
    return note_strides


contiguous = torch.Tag.needs_contiguous_strides
changes = [
    ("(first compile)", ("lesson::note_strides",)),
    ("needs_contiguous_strides", ("lesson::note_strides", contiguous)),
    ("the name too", ("lesson::note_strides_2", contiguous)),
]
# endregion
rows = []
for change, arguments in changes:
    torch.compiler.reset()  # as a new process does: nothing in memory, files on disk
    counters.clear()
    operator = define(*arguments)
    torch.compile(lambda x, operator=operator: operator(x.t()))(torch.randn(6, 8))
    hit = counters["aot_autograd"]["autograd_cache_hit"]
    rows.append([change, "hit" if hit else "miss", strides[-1]])
show(Table(["added", "cache", "strides of the input"], rows))
# region checks
assert [row[1:] for row in rows] == [
    ["miss", (1, 8)],
    ["hit", (1, 8)],
    ["miss", (6, 1)],
]
# endregion
