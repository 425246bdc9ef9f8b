# /// lesson
# needs = ["compiler"]
# ///
"""With emulate_precision_casts, some bfloat16 operators differ, and some only then."""

import torch
import torch.nn.functional as F

from compile_lessons import Table, show

operators = {
    "silu(x) * y": lambda x, y, z: F.silu(x) * y,
    "x * 0.3 + y": lambda x, y, z: x * 0.3 + y,
    "x**3": lambda x, y, z: x**3,
    "torch.add(x, y, alpha=0.3)": lambda x, y, z: torch.add(x, y, alpha=0.3),
    "torch.lerp(x, y, 0.3)": lambda x, y, z: torch.lerp(x, y, 0.3),
    "addcdiv(x, y, z, value=0.3)": lambda x, y, z: torch.addcdiv(x, y, z, value=0.3),
    "F.glu(x)": lambda x, y, z: F.glu(x),
}


def count_unequal(function, inputs, **options):
    """Count the elements of the compiled result that differ from eager mode's."""
    torch.compiler.reset()
    compiled = torch.compile(function, options=options)
    return (compiled(*inputs) != function(*inputs)).sum().item()


torch.manual_seed(0)
inputs = torch.randn(3, 4096).bfloat16()
rows = []
for name, function in operators.items():
    default = count_unequal(function, inputs)
    emulated = count_unequal(function, inputs, emulate_precision_casts=True)
    rows.append([name, default, emulated])
show(Table(["function", "unequal of 4,096", "with emulate_precision_casts"], rows))

# region checks
default = [row[1] for row in rows]
emulated = [row[2] for row in rows]
assert emulated[:2] == [0, 0]
assert min(default[:2]) > 500
assert emulated[2] == default[2] > 500  # x**3
assert max(default[4:]) < 10
assert min(emulated[3:]) > 500
# endregion
