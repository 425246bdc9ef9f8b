"""Random graphs on awkward numbers, for testing passes against eager mode bit for bit."""

import random
import struct

import torch
from _step3_passes import aten, optimize

SPECIAL = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 1e-40, 3e38, 0.1]
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


def random_graph(pick, x):
    """Return a graph of ten operators on one input, a few outputs, and what eager mode computes for these."""
    graph, values = torch.fx.Graph(), []
    values.append((graph.placeholder("x"), x))
    for _ in range(10):
        (a, real_a), (b, real_b), number = pick.choice(values), pick.choice(values), pick.choice(NUMBERS)
        kind, other = pick.randrange(4), pick.choice(BINARY)
        target, args, real = [
            (pick.choice(UNARY), (a,), (real_a,)),
            (other, (a, b), (real_a, real_b)),
            (other, (a, number), (real_a, number)),
            (aten.pow.Tensor_Scalar, (a, abs(number)), (real_a, abs(number))),
        ][kind]
        values.append((graph.call_function(target, args), target(*real)))
    for node, value in values:
        node.meta["val"] = value
    graph.output(tuple(node for node, _ in values[-3:]))
    return torch.fx.GraphModule(torch.nn.Module(), graph), [value for _, value in values[-3:]]


def differences(count, optimize=optimize):
    """Return for how many graphs the bits differ from eager mode, and the mean number of nodes before and after."""
    pick, x, wrong, before, after = random.Random(0), torch.tensor(SPECIAL), 0, 0, 0
    for _ in range(count):
        module, expected = random_graph(pick, x)
        before += len(module.graph.nodes)
        after += len(optimize(module).graph.nodes)
        wrong += any(bits(a) != bits(b) for a, b in zip(module(x), expected, strict=True))
    return wrong, before / count, after / count


def bits(tensor):
    return [struct.pack("f", value) if value == value else "nan" for value in tensor.tolist()]
