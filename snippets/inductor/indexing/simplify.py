"""What Inductor's SymPy functions simplify, given the sizes of the loops."""

import sympy
from torch._inductor.sizevars import SizeVarAllocator  # private: only to show the rules
from torch.utils._sympy.functions import FloorDiv, ModularIndexing

from compile_lessons import Table, show

i, j, n = sympy.symbols("i j n", integer=True, nonnegative=True)
sum_of_parts = 16 * FloorDiv(j, 16) + ModularIndexing(j, 1, 16)
cases = {  # the index, and the size of the loop over j
    "(64 * i + j) // 64, j < 64": (FloorDiv(64 * i + j, 64), 64),
    "(64 * i + j) // 64, j < 128": (FloorDiv(64 * i + j, 64), 128),
    "(64 * i + j) % 64, j < 64": (ModularIndexing(64 * i + j, 1, 64), 64),
    "(60 * i + j) % 64, j < 60": (ModularIndexing(60 * i + j, 1, 64), 60),
    "16 * (j // 16) + j % 16, j < 64": (sum_of_parts, 64),
    "(n * i + j) // n, j < n": (FloorDiv(n * i + j, n), n),
    "(n * i + j) % n, j < n": (ModularIndexing(n * i + j, 1, n), n),
}
sizes = SizeVarAllocator()
simplified = {}
for written, (index, size) in cases.items():
    result = sizes.simplify_with_ranges(index, {i: 128, j: size})
    simplified[written] = str(result)
show(Table(["index", "simplified"], list(simplified.items())))
# region checks
assert simplified["(64 * i + j) // 64, j < 64"] == "i"
assert simplified["(64 * i + j) % 64, j < 64"] == "j"
assert simplified["16 * (j // 16) + j % 16, j < 64"] == "j"
assert simplified["(n * i + j) // n, j < n"] == "i"
# endregion
