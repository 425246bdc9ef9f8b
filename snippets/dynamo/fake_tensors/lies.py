# /// lesson
# needs = ["compiler"]
# ///
"""Four fake functions, each wrong in one property, and which part of the compiler notices."""

import torch

from compile_lessons import Table, show

x = torch.arange(1.0, 13).view(3, 4)
operators = {  # the property that is wrong: the real function, and the fake one
    "number of dimensions": (lambda x: x[:1].clone(), lambda x: x.new_empty(4)),
    "a size": (lambda x: x[:2].clone(), lambda x: torch.empty_like(x)),
    "strides": (lambda x: x.t().contiguous().t(), lambda x: torch.empty_like(x)),
    "dtype": (lambda x: x * 1, lambda x: x.new_empty(x.shape, dtype=torch.bfloat16)),
}


def outcome(function, operator):
    torch.compiler.reset()
    try:
        return f"{function(operator, x).item():.1f}"
    except (AssertionError, RuntimeError) as error:
        return str(error).partition(";")[0].partition(" for op")[0].splitlines()[0]


def mean(operator, x):
    y = operator(x) + 1
    return y.sum() / len(y) if y.is_contiguous() else -y.sum() / len(y)


rows = []
for name, (real, fake) in operators.items():
    operator = torch.library.custom_op(
        "lesson::" + name.replace(" ", "_"), real, mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    operator.register_fake(fake)
    compiled = [outcome(torch.compile(mean, backend=backend), operator) for backend in ("aot_eager", "inductor")]
    rows.append([name, outcome(mean, operator), *compiled])
show(Table(["what the fake function gets wrong", "eager mode", "aot_eager", "inductor"], rows))
# region checks
assert [row[2] for row in rows] == ["3.5", "14.7", "30.0", "30.0"] and [row[1] for row in rows][2:] == ["-30.0", "30.0"]
assert "wrong number of dimensions" in rows[0][3] and "expected size" in rows[1][3] and "stride" in rows[2][3]
assert rows[3][3] == "11.0"
# endregion
