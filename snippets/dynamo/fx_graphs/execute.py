"""Execute a graph by hand, node by node."""

import torch
import torch.nn.functional as F

from compile_lessons import keep_graphs


def gated(x, w):
    top, bottom = (x @ w).chunk(2)
    return F.gelu(top).add(bottom, alpha=2)


def run_by_hand(graph, arguments):
    remaining = iter(arguments)
    values = {}
    for node in graph.nodes:
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda n: values[n])
        if node.op == "placeholder":
            values[node] = next(remaining)
        elif node.op == "call_function":
            values[node] = node.target(*args, **kwargs)
        elif node.op == "call_method":
            values[node] = getattr(args[0], node.target)(*args[1:], **kwargs)
        else:  # the output
            values[node] = args[0]
        print(f"{node.name:8}", getattr(values[node], "shape", "a tuple"))
    return values[node]


x = torch.linspace(-1, 1, 16).view(4, 4)
w = torch.eye(4)
kept = keep_graphs()
expected = torch.compile(gated, backend=kept)(x, w)
[result] = run_by_hand(kept.graphs[0].graph, [x, w])
same = torch.equal(result, expected)
print("same as compiled:", same)

# region checks
assert same
assert torch.equal(torch.fx.Interpreter(kept.graphs[0]).run(x, w)[0], result)
assert torch.equal(result, gated(x, w))
# endregion
