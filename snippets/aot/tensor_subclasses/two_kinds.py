"""The same clamp in __torch_function__ and in __torch_dispatch__: which graph?"""

import torch
from _wrapper import Wrapped

from compile_lessons import Table, capture, show


# region classes
class ByFunction(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs or {})
        return result.clamp(max=1) if function is torch.add else result


class ByDispatch(Wrapped):
    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        result = super().__torch_dispatch__(operator, types, args, kwargs)
        return result.clamp(max=1) if operator is torch.ops.aten.add.Tensor else result


# endregion
def operators(graph):
    return ", ".join(node.target for node in graph.calls)


rows = []
for x in (torch.ones(3).as_subclass(ByFunction), ByDispatch(torch.ones(3))):
    [graph] = capture(torch.add, until="aot")(x, torch.ones(3)).graphs
    rows.append([type(x).__name__, operators(graph.dynamo), operators(graph.forward)])
show(Table(["subclass", "Dynamo's graph", "AOTAutograd's graph"], rows))
# region checks
assert [row[2] for row in rows] == ["aten.add.Tensor, aten.clamp_max.default"] * 2
assert "clamp" in rows[0][1]
assert "clamp" not in rows[1][1]
# endregion
