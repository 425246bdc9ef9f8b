"""Where a quantized weight keeps its zero point, and what each new value costs."""

import torch
from _wrapper import Wrapper

from compile_lessons import Table, count_recompiles, show


# region classes
class InMetadata(Wrapper):
    def __init__(self, inner, zero=0):
        self.inner = inner
        self.zero = zero

    def __tensor_flatten__(self):
        return ["inner"], self.zero

    @classmethod
    def __tensor_unflatten__(cls, inner, metadata, outer_size, outer_stride):
        return cls(inner["inner"], inner.get("zero", metadata))

    def unwrap(self):
        return self.inner.float() - self.zero


class InnerTensor(InMetadata):
    def __tensor_flatten__(self):
        return ["inner", "zero"], None


class LeftOut(InMetadata):
    def __tensor_flatten__(self):
        return ["inner"], 0


# endregion
x = torch.ones(4, 8)
int8 = torch.ones(8, 8, dtype=torch.int8)
compiled = torch.compile(torch.mm, backend="aot_eager")
rows = []
for kind in (InMetadata, InnerTensor, LeftOut):
    zeros = torch.arange(3) if kind is InnerTensor else range(3)
    calls = [(x, kind(int8, zero)) for zero in zeros]
    equal = [torch.equal(compiled(*call), torch.mm(*call)) for call in calls]
    results = ["equal" if same else "different" for same in equal]
    rows.append([kind.__name__, count_recompiles(torch.mm)(calls) + 1, *results])
columns = ["class", "compiles", "zero point 0", "zero point 1", "zero point 2"]
show(Table(columns, rows))
# region checks
assert rows[0][1:] == [3, *["equal"] * 3]
assert rows[1][1:] == [1, *["equal"] * 3]
assert rows[2][1:] == [1, "equal", "different", "different"]
# endregion
