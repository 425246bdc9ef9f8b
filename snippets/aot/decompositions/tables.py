"""How large the two tables are, and what they contain."""

import torch
from torch._decomp import core_aten_decompositions  # private: no public name
from torch._inductor.decomposition import select_decomp_table  # private

from compile_lessons import Table, show

aten = torch.ops.aten
core = core_aten_decompositions()
inductor = select_decomp_table()
operators = [
    aten.gelu.default,
    aten.gelu_backward.default,
    aten._softmax.default,
    aten.silu.default,
    aten.addcmul.default,
    aten.convolution.default,
    aten.mm.default,
]
rows = [
    [str(operator), operator in core, operator in inductor] for operator in operators
]
show(Table(["operator", "core ATen", "Inductor"], rows))

names = torch._C._dispatch_get_all_op_names()  # private: no public list of operators
aten_names = {name.split(".")[0] for name in names if name.startswith("aten::")}
print(f"{len(core)} and {len(inductor)} entries; ATen has {len(aten_names)} operators")
# region checks
assert len(core) < len(inductor)
assert [row[1] for row in rows] == [False, True, False, True, True, False, False]
assert [row[2] for row in rows] == [True, True, True, True, False, False, True]
# endregion
