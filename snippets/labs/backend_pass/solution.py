# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Write a pass: a backend that removes useless calls from Dynamo's graph, and
only those.

`simplify` gets a graph and removes, in place,

1. multiplications by 1, with the number on either side: `x * 1`, `1 * x`;
2. calls of `sin`, `cos`, `exp`, `tanh`, `relu`, `add` and `mul`, as functions,
   methods or operators, whose result an earlier node has already computed.

The function must still return the same values, to the bit, and dtypes, and change
the same tensors. So `x + 0` stays: it turns -0.0 into 0.0.
"""

import torch

from compile_lessons.labs import check

PURE = {"sin", "cos", "exp", "tanh", "relu", "add", "mul"}
IN_PLACE = {"setitem", "iadd", "isub", "imul", "itruediv"}


def name(node):
    if isinstance(node.target, str):
        return node.target
    return getattr(node.target, "__name__", "")


def changes_a_tensor(node):
    in_place = name(node).endswith("_") or name(node) in IN_PLACE
    return node.op.startswith("call") and (in_place or "out" in node.kwargs)


def argument_times_one(node):
    """Return the argument that a multiplication by 1 passes on unchanged, or None."""
    if name(node) != "mul" or len(node.args) != 2:
        return None
    if node.kwargs:
        return None
    for kept, other in (node.args, node.args[::-1]):
        if not isinstance(kept, torch.fx.Node) or isinstance(other, torch.fx.Node):
            continue
        if other == 1:
            dtype = node.meta["example_value"].dtype
            return kept if kept.meta["example_value"].dtype == dtype else None
    return None


def simplify(graph: torch.fx.Graph) -> None:
    if any(changes_a_tensor(node) for node in graph.nodes):
        return
    earlier = {}
    for node in list(graph.nodes):
        returned = any(user.op == "output" for user in node.users)
        if name(node) not in PURE or returned:
            continue
        replacement = argument_times_one(node)
        if replacement is None:
            call = (node.target, str(node.args), str(node.kwargs))
            replacement = earlier.setdefault(call, node)
        if replacement is not node:
            node.replace_all_uses_with(replacement)
            graph.erase_node(node)


def backend(graph_module, example_inputs):
    simplify(graph_module.graph)
    graph_module.recompile()
    return graph_module.forward


if __name__ == "__main__":
    check("backend_pass", __file__)
