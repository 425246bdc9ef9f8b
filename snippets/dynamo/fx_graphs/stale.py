"""Change a graph in a backend: without recompile(), a print decides the result."""

import torch


def use_sigmoid(traced):
    for node in traced.graph.nodes:
        if node.target is torch.relu:
            node.target = torch.sigmoid


def print_and_change(traced, example_inputs):
    print(traced.code.strip())
    use_sigmoid(traced)
    return traced.forward


def only_change(traced, example_inputs):
    use_sigmoid(traced)
    return traced.forward


def print_change_recompile(traced, example_inputs):
    print(traced.code.strip())
    use_sigmoid(traced)
    traced.graph.lint()
    traced.recompile()
    return traced.forward


def activate(x):
    return torch.relu(x)


x = torch.zeros(3)
results = []
for backend in (print_and_change, only_change, print_change_recompile):
    torch.compiler.reset()
    results.append(torch.compile(activate, backend=backend)(x))
    print(f"{backend.__name__}: {results[-1]}")

# region checks
assert [result.equal(torch.sigmoid(x)) for result in results] == [False, True, True]
assert results[0].equal(torch.relu(x))
# endregion
