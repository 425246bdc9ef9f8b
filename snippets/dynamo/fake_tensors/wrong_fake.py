# /// lesson
# needs = ["compiler"]
# ///
"""A fake function that is right for one input, and a fix that the cache hides."""

import torch

from compile_lessons import Table, show


# region functions
def double(x: torch.Tensor) -> torch.Tensor:
    """Stand for a kernel that returns contiguous float32."""
    return x.float().contiguous() * 2


def wrong(x):
    return torch.empty_like(x)  # keeps the dtype and the strides of x


def right(x):
    return x.new_empty(x.shape, dtype=torch.float32)


# endregion
def outcome(call, *arguments):
    try:
        result = call(*arguments)
        return "passes" if isinstance(result, dict) else result.item()
    except Exception as error:
        return type(error).__name__


def try_operator(name, fake, x):
    operator = torch.library.custom_op(f"lesson::{name}", double, mutates_args=())
    operator.register_fake(fake)

    def total(x):
        return (operator(x) + 1).sum()

    torch.compiler.reset()
    compiled = torch.compile(total)
    checked = outcome(torch.library.opcheck, operator, (x,))
    return [outcome(total, x), outcome(compiled, x), checked]


x = torch.arange(12.0).view(3, 4)
inputs = {"float32": x, "float32, transposed": x.t(), "bfloat16": x.bfloat16()}
cases = [("double", wrong, kind) for kind in inputs]
cases.append(("double", right, "bfloat16"))
cases.append(("renamed", right, "float32, transposed"))
cases.append(("renamed", right, "bfloat16"))
rows = []
for name, fake, kind in cases:
    rows.append([name, fake.__name__, kind, *try_operator(name, fake, inputs[kind])])
columns = ["operator", "fake function", "input", "eager mode", "compiled", "opcheck"]
show(Table(columns, rows))

# region checks
assert [row[3] for row in rows] == [144] * 6
# in the fourth row, the old code
assert [row[4] for row in rows] == [144, "AssertionError", 42, 42, 144, 144]
errors = ["OpCheckError", "OpCheckError"]
assert [row[5] for row in rows] == ["passes", *errors, "passes", "passes", "passes"]
# endregion
