"""Three ways to compile, and the object that each leaves you with."""

import torch

from compile_lessons import Table, show


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


def scaled(x):
    return x.sin() * 2


# region forms
function = torch.compile(
    scaled, backend="eager"
)  # or @torch.compile above the function
wrapper = torch.compile(Model(), backend="eager")  # a new object around the module
in_place = Model()
in_place.compile(backend="eager")  # the same object

# endregion
x = torch.linspace(-1, 1, 8)
rows = []
for held in (function, wrapper, in_place):
    matches = torch.equal(held(x), x.sin() * 2)
    rows.append([type(held).__name__, isinstance(held, Model), matches])
show(Table(["you hold a", "is a Model", "result of eager mode"], rows))

# region checks
assert rows[0] == ["function", False, True]
assert rows[1] == ["OptimizedModule", False, True]
assert rows[2] == ["Model", True, True]
# endregion
