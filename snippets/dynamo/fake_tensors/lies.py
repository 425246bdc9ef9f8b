# /// lesson
# needs = ["compiler"]
# ///
"""Fake functions that are each wrong in one property, and which of them is noticed."""

import torch

from compile_lessons import Table, show

# region operators
operators = {  # the property that is wrong: the real function, and the fake one
    "number of dimensions": (lambda x: x[:1].clone(), lambda x: x.new_empty(4)),
    "a size": (lambda x: x[:2].clone(), torch.empty_like),
    "strides": (lambda x: x.t().contiguous().t(), torch.empty_like),
    "dtype": (lambda x: x * 1, lambda x: torch.empty_like(x, dtype=torch.bfloat16)),
}


def mean(operator, x):
    y = operator(x) + 1
    return y.sum() / len(y) if y.is_contiguous() else -y.sum() / len(y)


# endregion
def make_operator(name, real, fake):
    name = "lesson::" + name.replace(" ", "_")
    schema = "(Tensor x) -> Tensor"
    operator = torch.library.custom_op(name, real, mutates_args=(), schema=schema)
    operator.register_fake(fake)
    return operator


def outcome(function, operator):
    torch.compiler.reset()
    try:
        return f"{function(operator, x).item():.1f}"
    except (AssertionError, RuntimeError) as error:
        message = str(error).partition(";")[0].partition(" for op")[0]
        return message.splitlines()[0]


x = torch.arange(1.0, 13).view(3, 4)
without_inductor = torch.compile(mean, backend="aot_eager")
rows = []
for name, (real, fake) in operators.items():
    operator = make_operator(name, real, fake)
    functions = (mean, without_inductor, torch.compile(mean))
    rows.append([name, *(outcome(function, operator) for function in functions)])
columns = ["what the fake function gets wrong", "eager mode", "aot_eager", "inductor"]
show(Table(columns, rows))

# region checks
assert [row[1] for row in rows][2:] == ["-30.0", "30.0"]
assert [row[2] for row in rows] == ["3.5", "14.7", "30.0", "30.0"]
assert "wrong number of dimensions" in rows[0][3]
assert "expected size" in rows[1][3]
assert "stride" in rows[2][3]
assert rows[3][3] == "11.0"
# endregion
