"""The ATen operators that Inductor decomposes, and where."""

import functools
import inspect

import torch

# private: Inductor's table of decompositions
from torch._inductor.decomposition import decompositions

from compile_lessons import Listing, show


def module_of(function):
    if isinstance(function, functools.partial):  # C++ composes it from other operators
        return "CompositeImplicitAutograd"
    return inspect.unwrap(function).__module__


overloads = {}
modules = {}
for operator, function in decompositions.items():
    # private: the class of an overload such as aten.add.Tensor
    if not isinstance(operator, torch._ops.OpOverload):
        continue
    if operator.namespace not in ("aten", "prims"):
        continue
    namespace, _, name = operator._schema.name.partition("::")
    packet = f"{namespace}.{name}"
    overloads.setdefault(packet, []).append(operator._overloadname)
    modules.setdefault(packet, []).append(module_of(function))
rows = []
for packet in sorted(overloads):
    overload_names = ", ".join(dict.fromkeys(overloads[packet]))  # each once
    places = ", ".join(dict.fromkeys(modules[packet]))
    rows.append([packet, overload_names, places])
show(Listing(["operator", "overloads", "decomposed in"], rows))
count = len(rows)
# region checks
names = {name for name, *_ in rows}
assert {"aten.gelu", "aten.native_layer_norm", "aten._softmax", "aten.mm"} <= names
# endregion
