# /// lesson
# needs = ["compiler"]
# ///
"""An operator gets a new argument before an old one, with the same cache folder."""

import torch
from torch import Tensor
from torch._dynamo.utils import counters  # private: torch has no public counter

from compile_lessons import Table, show


# region operator
def scale(x: Tensor, by: float) -> Tensor:
    return x * by


def add_and_scale(x: Tensor, add: float = 0.0, by: float = 1.0) -> Tensor:
    return x * by + add


def forward(x):
    return torch.ops.lesson.scale(x, by=3.0)


# endregion
rows = []
for name, body in (("scale(x, by)", scale), ("scale(x, add, by)", add_and_scale)):
    torch.compiler.reset()  # as a new process does: nothing in memory, files on disk
    counters.clear()
    operator = torch.library.custom_op("lesson::scale", body, mutates_args=())
    operator.register_fake(lambda x, *numbers, **named: torch.empty_like(x))
    x = torch.ones(4)
    eager = forward(x)
    compiled = torch.compile(forward)(x)
    answer = "hit" if counters["aot_autograd"]["autograd_cache_hit"] else "miss"
    rows.append([name, answer, eager[0].item(), compiled[0].item()])
show(Table(["operator", "cache", "eager", "compiled"], rows))

# region checks
assert rows[0][1:] == ["miss", 3, 3]
assert rows[1][1:] == ["hit", 3, 4]  # 3.0 is passed as add
# endregion
