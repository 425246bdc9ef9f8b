"""Random graphs on awkward numbers, to test passes against eager mode bit by bit."""

import random
import struct

import torch
from _step3_passes import aten, optimize

SPECIAL = [
    *(float("nan"), float("inf"), -float("inf")),
    *(0.0, -0.0, 1.0, -1.0, 1e-40, 3e38, 0.1),
]
UNARY = [
    aten.neg.default,
    aten.relu.default,
    aten.abs.default,
    aten.floor.default,
    aten.sqrt.default,
    aten.alias.default,
]
BINARY = [aten.add.Tensor, aten.sub.Tensor, aten.mul.Tensor, aten.div.Tensor]
NUMBERS = [0, 1, 1.0, 2, -0.0, 0.5, 4.0, 3, -1]


def random_call(pick, nodes):
    """Return a random operator, and its arguments: nodes and numbers."""
    a = pick.choice(nodes)
    b = pick.choice(nodes)
    number = pick.choice(NUMBERS)
    binary = pick.choice(BINARY)
    return pick.choice(
        [
            (pick.choice(UNARY), (a,)),
            (binary, (a, b)),
            (binary, (a, number)),
            (aten.pow.Tensor_Scalar, (a, abs(number))),
        ]
    )


def random_graph(pick, x):
    """Return a graph of ten operators on one input, and its outputs in eager mode."""
    graph = torch.fx.Graph()
    values = {graph.placeholder("x"): x}
    for _ in range(10):
        target, args = random_call(pick, list(values))
        node = graph.call_function(target, args)
        values[node] = target(*torch.fx.map_arg(args, values.__getitem__))
    for node, value in values.items():
        node.meta["val"] = value
    outputs = list(values)[-3:]
    graph.output(tuple(outputs))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    return module, [values[node] for node in outputs]


def differences(count, optimize=optimize):
    """Return how many graphs' bits differ, and the mean nodes before and after."""
    pick = random.Random(0)
    x = torch.tensor(SPECIAL)
    wrong = 0
    before = 0
    after = 0
    for _ in range(count):
        module, expected = random_graph(pick, x)
        before += len(module.graph.nodes)
        after += len(optimize(module).graph.nodes)
        pairs = zip(module(x), expected, strict=True)
        wrong += any(bits(result) != bits(eager) for result, eager in pairs)
    return wrong, before / count, after / count


def bits(tensor):
    values = tensor.tolist()
    return [struct.pack("f", x) if x == x else "nan" for x in values]
