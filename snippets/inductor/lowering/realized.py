# /// lesson
# needs = ["compiler"]
# ///
"""When an intermediate value becomes a buffer, and when it is computed again where it is read."""

import torch

from compile_lessons import Table, capture, show


def both_sums(y):
    return y.sum(0), y.sum(1)


# region cases
cases = {  # the number of tensors, and what is computed from them
    "read by one sum": (1, lambda x: (x * 2 + 1).sum(1)),
    "read by two sums": (1, lambda x: both_sums(x * 2 + 1)),
    "read by two sums, contains exp": (1, lambda x: both_sums(x.exp())),
    "read by two sums, reads 4 tensors": (4, lambda *xs: both_sums(sum(xs))),
    "read by two sums, reads 5 tensors": (5, lambda *xs: both_sums(sum(xs))),
    "read by one sum, reads 14 tensors": (14, lambda *xs: sum(xs).sum(1)),
    "read by one sum, and returned": (1, lambda x: ((y := x * 2 + 1), y.sum(1))),
    "read by a matmul": (1, lambda x: (x * 2 + 1) @ (x.T)),
    "a sum over 256 elements": (1, lambda x: x.sum(1) + 1),
    "a sum over 4 elements": (1, lambda x: x.view(-1, 4).sum(1) + 1),
}
# endregion
inputs = [[torch.randn(64, 256) for _ in range(tensors)] for tensors, _ in cases.values()]
all_of = capture(lambda inputs: [f(*xs) for (_, f), xs in zip(cases.values(), inputs, strict=True)], machine_code=False)
[lowered] = all_of(inputs).graphs[0].inductor
names = iter([node.name for node in lowered.post_grad.nodes if node.op == "placeholder"])
rows = []
for case, (tensors, _) in cases.items():
    reached, kinds, buffer = {next(names) for _ in range(tensors)}, [], "inlined"
    for node in lowered.ir:
        if reached & set(node.reads):
            buffer = "a buffer" if any(name.startswith("buf") for name in node.reads) else buffer
            reached.update(node.buffers)
            kinds.append(node.kind)
    rows.append([case, buffer, " ".join(kinds)])
show(Table(["the value is", "it becomes", "loops and calls"], rows))
# region checks
inlined = [number for number, row in enumerate(rows) if row[1] == "inlined"]
assert inlined == [0, 1, 3, 9] and len(rows) == 10
# endregion
