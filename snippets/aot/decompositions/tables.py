"""How large the two tables are, and what they have."""

import torch
from torch._decomp import core_aten_decompositions
from torch._inductor.decomposition import select_decomp_table

from compile_lessons import Table, show

aten = torch.ops.aten
core, inductor = core_aten_decompositions(), select_decomp_table()
asked = [
    aten.gelu.default,
    aten.gelu_backward.default,
    aten._softmax.default,
    aten.native_layer_norm.default,
    aten.silu.default,
    aten.addcmul.default,
    aten.convolution.default,
    aten.mm.default,
]
show(Table(["operator", "core ATen", "Inductor"], [[str(op), *(op in t for t in (core, inductor))] for op in asked]))

core_size, inductor_size = len(core), len(inductor)
print(f"in all: {core_size} and {inductor_size} entries")
declined = inductor[aten.mm.default](torch.ones(4, 4), torch.ones(4, 4)) is NotImplemented
print("the entry for mm, called with two 4 by 4 matrices, declines:", declined)
names = {name.split(".")[0] for name in torch._C._dispatch_get_all_op_names()}
operators = sum(name.startswith("aten::") for name in names)
print("ATen operators, without their overloads:", operators)
assert core_size < inductor_size
assert aten.gelu.default in inductor and aten.gelu.default not in core
assert aten.mm.default not in core and declined
