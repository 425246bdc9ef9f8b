# /// lesson
# needs = ["compiler", "triton"]
# ///
"""What use_deterministic_algorithms changes in code for a GPU."""

import torch

from compile_lessons import Table, capture, show


def count(totals, bins, weights):
    return totals.index_add(0, bins, weights)


def token_vectors(tokens, table):
    return torch.nn.functional.embedding(tokens, table)


indices = torch.tensor([0, 1, 1, 2])  # two additions go to 1
cases = {
    count: (torch.zeros(8), indices, torch.randn(4)),
    token_vectors: (indices, torch.randn(10, 4, requires_grad=True)),
}
rows = []
for function, arguments in cases.items():
    for setting in ("none", "use_deterministic_algorithms", "option deterministic"):
        torch.use_deterministic_algorithms(setting == "use_deterministic_algorithms")
        options = {"deterministic": setting == "option deterministic"}
        captured = capture(function, target="h200", options=options, machine_code=False)
        kernels = captured(*arguments).kernels
        atomics = sum("tl.atomic_add(" in kernel.source for kernel in kernels)
        calls = [kernel.name for kernel in kernels if kernel.name.startswith("aten.")]
        rows.append([function.__name__, setting, atomics, ", ".join(calls) or "none"])
columns = ["setting", "kernels with atomic additions", "library calls"]
show(Table(["function, with its gradient", *columns], rows))

# region checks
per_function = [[1, "none"], [0, "aten.index_put_"], [1, "none"]]
assert [row[2:] for row in rows] == per_function * 2
# endregion
