"""What Inductor's SymPy functions simplify, given the sizes of the loops."""

import sympy
from torch._inductor.sizevars import SizeVarAllocator
from torch.utils._sympy.functions import FloorDiv, ModularIndexing

from compile_lessons import Table, show

i, j, n = sympy.symbols("i j n", integer=True, nonnegative=True)
cases = {  # the index, and the size of the loop over j
    "(64 * i + j) // 64, j < 64": (FloorDiv(64 * i + j, 64), 64),
    "(64 * i + j) // 64, j < 128": (FloorDiv(64 * i + j, 64), 128),
    "(64 * i + j) % 64, j < 64": (ModularIndexing(64 * i + j, 1, 64), 64),
    "(60 * i + j) % 64, j < 60": (ModularIndexing(60 * i + j, 1, 64), 60),
    "16 * (j // 16) + j % 16, j < 64": (16 * FloorDiv(j, 16) + ModularIndexing(j, 1, 16), 64),
    "(n * i + j) // n, j < n": (FloorDiv(n * i + j, n), n),
    "(n * i + j) % n, j < n": (ModularIndexing(n * i + j, 1, n), n),
}
rows, sizes = [], SizeVarAllocator()
for written, (index, size) in cases.items():
    rows.append([written, str(sizes.simplify_with_ranges(index, {i: 128, j: size}))])
show(Table(["index", "simplified"], rows))
# region checks
simplified = dict(rows)
assert [simplified[name] for name in list(cases)[::2]][:3] == ["i", "j", "j"]
assert simplified["(n * i + j) // n, j < n"] == "i"
# endregion
