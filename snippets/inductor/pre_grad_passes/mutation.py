# /// lesson
# needs = ["compiler"]
# ///
"""One of torch's passes that is right for one function, and wrong for two others."""

import torch
from torch import nn

from compile_lessons import Table, show

layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(6))


# region functions
def same_input(x):
    return torch.stack([layer(x) for layer in layers])


def changed_input(x):
    x = x.clone()
    outputs = []
    for layer in layers:
        outputs.append(layer(x))
        with torch.no_grad():
            x.add_(1)
    return torch.stack(outputs)


def teacher_and_student(x):
    with torch.no_grad():
        teacher = [layer(x) for layer in layers[:3]]
    student = [layer(x) for layer in layers[3:]]
    return torch.stack(teacher + student)


# endregion
options = {"pre_grad_fusion_options": {"batch_linear": {}}}
x = torch.randn(8, 16)
rows = []
for function in (same_input, changed_input, teacher_and_student):
    compiled = torch.compile(function, options=options)
    with torch.no_grad():
        equal = torch.allclose(function(x), compiled(x), atol=1e-5)
    needs_gradient = [function(x).requires_grad, compiled(x).requires_grad]
    rows.append([function.__name__, equal, *needs_gradient])
columns = ["function", "equal results", "requires_grad in eager mode", "compiled"]
show(Table(columns, rows))
# region checks
assert rows == [
    ["same_input", True, True, True],
    ["changed_input", False, True, True],
    ["teacher_and_student", True, True, False],
]
# endregion
