"""How large the two tables are, and what they contain."""

import torch
from torch._decomp import core_aten_decompositions
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show

aten = torch.ops.aten
core, inductor = core_aten_decompositions(), select_decomp_table()
operators = [
    aten.gelu.default,
    aten.gelu_backward.default,
    aten._softmax.default,
    aten.silu.default,
    aten.addcmul.default,
    aten.convolution.default,
    aten.mm.default,
]
show(Table(["operator", "core ATen", "Inductor"], [[str(op), op in core, op in inductor] for op in operators]))

core_size, inductor_size = len(core), len(inductor)
all_operators = len({name.split(".")[0] for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::")})
print(f"{core_size} and {inductor_size} entries; ATen has {all_operators} operators")
# region checks
assert core_size < inductor_size
assert [op in core for op in operators] == [False, True, False, True, True, False, False]
assert [op in inductor for op in operators] == [True, True, True, True, False, False, True]
# endregion
