# /// lesson
# needs = ["compiler"]
# ///
"""The operators that compute each output, before Inductor's graph passes and after."""

import torch

from compile_lessons import Table, show


# region outputs
def outputs(x, half, weight, bias):
    return {
        "wider and back": half.float().to(torch.bfloat16).relu(),
        "narrower and back": x.to(torch.bfloat16).float().relu(),
        "two views": x.view(4, 16, 64).view(64, 64).relu(),
        "clone": x.clone().relu(),
        "mask of ones": x + (1 - torch.ones(64, 64)) * -1e9 + 2,
        "matmul and bias": x @ weight + bias,
        "count of ones": torch.ones(64, dtype=torch.int64).cumsum(0),
    }


# endregion
def operators_of(value, nodes):
    """Return the names of the operators that compute a value, in the graph's order."""
    needed = {value}
    for node in reversed(nodes):
        if node in needed:
            needed.update(node.all_input_nodes)
    calls = [node for node in nodes if node in needed and node.op == "call_function"]
    return " ".join(str(node.target).split(".")[-2] for node in calls)


def keep_operators(graph):
    values = graph.output_node().args[0]
    snapshots.append([operators_of(value, graph.nodes) for value in values])


snapshots = []
options = {
    "joint_custom_pre_pass": keep_operators,
    "post_grad_custom_post_pass": keep_operators,
}
x = torch.randn(64, 64)
weight = torch.randn(64, 64)
bias = torch.randn(64)
with torch.no_grad():
    compiled = torch.compile(outputs, options=options)
    names = list(compiled(x, x.bfloat16(), weight, bias))
rows = list(zip(names, *snapshots, strict=True))
show(Table(["output", "operators before", "operators after"], rows))
# region checks
after = {name: last for name, _, last in rows}
assert all(after[name] == "relu" for name in ("wider and back", "two views", "clone"))
assert after["narrower and back"] == "convert_element_type convert_element_type relu"
assert after["mask of ones"] == "add"
assert after["matmul and bias"] == "addmm"
assert after["count of ones"].startswith("iota")
# endregion
