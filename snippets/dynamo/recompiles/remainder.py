"""A remainder that becomes a float and then scales a tensor raises an error when the number changes."""

import torch

from compile_lessons import Table, show


def call_twice(function, numbers):
    torch.compiler.reset()
    compiled, x = torch.compile(function, backend="aot_eager"), torch.ones(3)
    try:
        for number in numbers:
            assert torch.equal(compiled(x, number), function(x, number))
    except torch._dynamo.exc.BackendCompilerFailed as error:
        return str(error).splitlines()[1]
    return "matches eager"


rows = [
    ("x * (n % 4)", call_twice(lambda x, n: x * (n % 4), (5, 6))),
    ("x * ((n % 4) / 4)", call_twice(lambda x, n: x * ((n % 4) / 4), (5, 6))),
    ("x * (t % 1.0)", call_twice(lambda x, t: x * (t % 1.0), (1.25, 2.5))),
    ("x * (n % 4) / 4", call_twice(lambda x, n: x * (n % 4) / 4, (5, 6))),
    ("x * ((n % 4) / 4), n a tensor", call_twice(lambda x, n: x * ((n % 4) / 4), (torch.tensor(5), torch.tensor(6)))),
]
show(Table(["code", "the second value"], rows))
# region checks
error = "AttributeError: type object 'TensorReferenceAnalysis' has no attribute 'python_mod'"
assert [result for _, result in rows] == ["matches eager", error, error, "matches eager", "matches eager"]
assert call_twice(lambda x, s: x * s, ((5 % 4) / 4, (6 % 4) / 4)) == "matches eager"
assert call_twice(lambda x, h: x * ((-h % 8) / 8), (5, 6)) == error
# endregion
