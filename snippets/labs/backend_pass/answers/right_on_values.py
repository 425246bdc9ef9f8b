"""A pass that gives each node the number of its value, and stops at the first change of a tensor."""

import operator

import torch

FUNCTIONS = {
    operator.add: "add",
    operator.mul: "mul",
    torch.add: "add",
    torch.mul: "mul",
    torch.relu: "relu",
    torch.nn.functional.relu: "relu",
}
FUNCTIONS |= {getattr(torch, name): name for name in ("sin", "cos", "exp", "tanh")}


def kind(node):
    if node.op == "call_method":
        return node.target if node.target in FUNCTIONS.values() else None
    return FUNCTIONS.get(node.target) if node.op == "call_function" else None


def dtype(node):
    return node.meta["example_value"].dtype


def is_safe(node):
    names = ("sub", "truediv", "sum", "to", "floordiv", "rand_like", "dropout")
    target = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return not node.op.startswith("call") or kind(node) or target in names


def simplify(graph: torch.fx.Graph) -> None:
    if not all(is_safe(node) for node in graph.nodes):
        return
    kept = set(graph.find_nodes(op="output")[0].all_input_nodes)
    first = {}
    for node in graph.nodes:
        if kind(node) is None or node in kept:
            continue
        tensors = [item for item in node.args if isinstance(item, torch.fx.Node)]
        numbers = [item for item in node.args if not isinstance(item, torch.fx.Node)]
        unit = {"add": 0, "mul": 1}.get(kind(node))
        if len(tensors) == 1 and unit is not None and numbers == [unit] and dtype(node) == dtype(tensors[0]):
            node.replace_all_uses_with(tensors[0])
        else:
            same = first.setdefault((kind(node), *map(str, node.args), str(node.kwargs)), node)
            if same is not node:
                node.replace_all_uses_with(same)
    graph.eliminate_dead_code()


def backend(graph_module, example_inputs):
    simplify(graph_module.graph)
    graph_module.recompile()
    return graph_module.forward
