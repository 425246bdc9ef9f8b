"""What was asked about a size, in symbols."""

import torch


def shift(a):
    if a.shape[0] * 2 < 16:
        return a
    return a + 1


def show_questions(graph_module, example_inputs):
    [value] = [node.meta["example_value"] for node in graph_module.graph.nodes if node.name == "l_a_"]
    environment = value.shape[0].node.shape_env
    for guard in environment.guards:
        print("asked:", guard.expr)
        asked.append(str(guard.expr))
    return graph_module.forward


asked = []
torch.compile(shift, backend=show_questions, dynamic=True)(torch.ones(8))
assert len(asked) == 1 and asked[0].startswith("2*s") and asked[0].endswith(">= 16")
