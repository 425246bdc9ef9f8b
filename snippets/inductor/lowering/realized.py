# /// lesson
# needs = ["compiler"]
# ///
"""When an intermediate value becomes a buffer, and when it is computed again."""

import torch

from compile_lessons import Table, capture, show


# region cases
def both_sums(y):
    return y.sum(0), y.sum(1)


def value_and_sum(y):
    return y, y.sum(1)


cases = {  # the number of tensors, and what is computed from them
    "read by one sum": (1, lambda x: (x * 2 + 1).sum(1)),
    "read by two sums": (1, lambda x: both_sums(x * 2 + 1)),
    "read by two sums, contains exp": (1, lambda x: both_sums(x.exp())),
    "read by two sums, reads 4 tensors": (4, lambda *xs: both_sums(sum(xs))),
    "read by two sums, reads 5 tensors": (5, lambda *xs: both_sums(sum(xs))),
    "read by one sum, reads 14 tensors": (14, lambda *xs: sum(xs).sum(1)),
    "read by one sum, and returned": (1, lambda x: value_and_sum(x * 2 + 1)),
    "read by a matmul": (1, lambda x: (x * 2 + 1) @ x.T),
    "a sum over 256 elements": (1, lambda x: x.sum(1) + 1),
    "a sum over 4 elements": (1, lambda x: x.view(-1, 4).sum(1) + 1),
}
# endregion


def all_cases(inputs):
    """Compute all cases in one graph: one compile instead of ten."""
    functions = [function for _, function in cases.values()]
    return [function(*xs) for function, xs in zip(functions, inputs, strict=True)]


def readers(nodes, inputs):
    """Return the loops and calls that an input reaches, in their order."""
    reached = set(inputs)
    found = []
    for node in nodes:
        if reached & set(node.reads):
            reached.update(node.buffers)
            found.append(node)
    return found


inputs = [[torch.randn(64, 256) for _ in range(n)] for n, _ in cases.values()]
[graph] = capture(all_cases, machine_code=False)(inputs).graphs
[lowered] = graph.inductor
nodes = lowered.post_grad.nodes
names = iter([node.name for node in nodes if node.op == "placeholder"])
rows = []
for case, (number_of_tensors, _) in cases.items():
    inputs_of_case = [next(names) for _ in range(number_of_tensors)]
    loops = readers(lowered.ir, inputs_of_case)
    stored = any(name.startswith("buf") for loop in loops for name in loop.reads)
    kinds = " ".join(loop.kind for loop in loops)
    rows.append([case, "a buffer" if stored else "inlined", kinds])
show(Table(["the value is", "it becomes", "loops and calls"], rows))
# region checks
inlined = [number for number, row in enumerate(rows) if row[1] == "inlined"]
assert inlined == [0, 1, 3, 9]
assert len(rows) == 10
# endregion
