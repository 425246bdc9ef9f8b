"""The ATen operators that Inductor decomposes, and where."""

import functools
import inspect
from collections import defaultdict

import torch
from torch._inductor.decomposition import decompositions

from compile_lessons import Listing, show

packets = defaultdict(lambda: ([], []))
for operator, function in decompositions.items():
    if isinstance(operator, torch._ops.OpOverload) and operator.namespace in ("aten", "prims"):
        overloads, modules = packets[f"{operator.namespace}.{operator._schema.name.partition('::')[2]}"]
        overloads.append(operator._overloadname)
        composed = isinstance(function, functools.partial)  # around an operator that C++ code composes from others
        modules.append("CompositeImplicitAutograd" if composed else inspect.unwrap(function).__module__)
rows = [[name, *(", ".join(dict.fromkeys(column)) for column in columns)] for name, columns in sorted(packets.items())]
show(Listing(["operator", "overloads", "decomposed in"], rows))
count = len(rows)
# region checks
names = {name for name, *_ in rows}
assert {"aten.gelu", "aten.native_layer_norm", "aten._softmax"} <= names and "aten.mm" in names
# endregion
