"""Execute a graph by hand, node by node."""

import torch
import torch.nn.functional as F


def gated(x, w):
    top, bottom = (x @ w).chunk(2)
    return F.gelu(top).add(bottom, alpha=2)


def by_hand(graph_module, example_inputs):
    graphs.append(graph_module)

    def run(*inputs):
        inputs, values = iter(inputs), {}
        for node in graph_module.graph.nodes:
            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda n: values[n])
            if node.op == "placeholder":
                values[node] = next(inputs)
            elif node.op == "call_function":
                values[node] = node.target(*args, **kwargs)
            elif node.op == "call_method":
                values[node] = getattr(args[0], node.target)(*args[1:], **kwargs)
            elif node.op == "output":
                return args[0]
            print(f"{node.name:8}", getattr(values[node], "shape", "a tuple"))

    return run


graphs = []
x, w = torch.linspace(-1, 1, 16).view(4, 4), torch.eye(4)
result = torch.compile(gated, backend=by_hand)(x, w)
same = torch.equal(result, gated(x, w))
print("same as eager:", same)
# region checks
assert same
assert torch.equal(torch.fx.Interpreter(graphs[0]).run(x, w)[0], result)
# endregion
