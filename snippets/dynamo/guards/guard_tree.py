"""The guard tree of a compiled function."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from compile_lessons import Diagram, show

settings = {"gain": [3, 4]}


def amplify(x, factor, clip):
    y = x * factor * settings["gain"][0]
    return y.clamp(max=1) if clip else y


def walk(manager, name):
    leaves = dict.fromkeys(type(leaf).__name__ for leaf in manager.get_leaf_guards())
    leaves.pop("DIMENSION_DYNAMIC_MARKING_GUARD", None)  # five of them, for each tensor
    text = "\n".join(leaf.lower() for leaf in leaves)
    nodes[name] = f"{name}\n{text}".strip()
    groups[name] = "has checks" if leaves else "leads to others"
    for child in manager.get_child_managers():
        edges.append((name, child.get_source()))
        walk(child, child.get_source())


nodes, edges, groups = {}, [], {}
torch.compile(amplify, backend="eager")(torch.ones(4), 2, True)
[entry] = _debug_get_cache_entry_list(amplify)
walk(entry.guard_manager.root, "root")
show(Diagram(nodes, edges, groups))

managers = len(nodes)
assert type(entry.guard_manager.root).__module__ == "torch._C._dynamo.guards"  # C++
assert not hasattr(entry, "check_fn")
assert {"L['x']", "L['factor']", "L['clip']", "G", "G['settings']['gain'][0]"} <= set(nodes)
assert "tensor_match" in nodes["L['x']"] and "true_match" in nodes["L['clip']"]
