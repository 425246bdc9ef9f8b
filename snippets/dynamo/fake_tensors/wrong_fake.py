# /// lesson
# needs = ["compiler"]
# ///
"""A fake function that is right for one kind of input, and a fix that the cache hides."""

import torch

from compile_lessons import Table, show


def double(x: torch.Tensor) -> torch.Tensor:  # stands for a kernel that returns contiguous float32
    return x.float().contiguous() * 2


def wrong(x):
    return torch.empty_like(x)  # keeps the dtype and the strides of x


def right(x):
    return x.new_empty(x.shape, dtype=torch.float32)


def outcome(call, *arguments):
    try:
        result = call(*arguments)
        return "passes" if isinstance(result, dict) else result.item()
    except Exception as error:
        return type(error).__name__


rows, x = [], torch.arange(12.0).view(3, 4)
inputs = {"float32": x, "float32, transposed": x.t(), "bfloat16": x.bfloat16()}
cases = [("double", wrong, kind) for kind in inputs]
cases += [("double", right, "bfloat16"), ("renamed", right, "float32, transposed"), ("renamed", right, "bfloat16")]
for name, fake, kind in cases:
    torch.compiler.reset()
    operator, x = torch.library.custom_op(f"lesson::{name}", double, mutates_args=()), inputs[kind]
    operator.register_fake(fake)
    total = lambda x, operator=operator: (operator(x) + 1).sum()  # noqa: E731
    results = outcome(total, x), outcome(torch.compile(total), x), outcome(torch.library.opcheck, operator, (x,))
    rows.append([name, fake.__name__, kind, *results])
show(Table(["operator", "fake function", "input", "eager mode", "compiled", "opcheck"], rows))
# region checks
assert [row[3] for row in rows] == [144] * 6
assert [row[4] for row in rows] == [144, "AssertionError", 42, 42, 144, 144]  # in the fourth row, the old code
assert [row[5] for row in rows] == ["passes", "OpCheckError", "OpCheckError"] + ["passes"] * 3
# endregion
