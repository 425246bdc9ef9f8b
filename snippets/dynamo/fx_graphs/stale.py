"""A change to the graph that has no effect, because of a print."""

import torch


def swap_relu(look):
    def backend(graph_module, example_inputs):
        if look:
            print("    before:", graph_module.code.split("\n")[5].strip())
        for node in graph_module.graph.nodes:
            if node.target is torch.relu:
                node.target = torch.sigmoid
        calls = [node for node in graph_module.graph.nodes if node.op == "call_function"]
        print("    graph: ", [node.target.__name__ for node in calls])
        print("    after: ", graph_module.code.split("\n")[5].strip())
        return graph_module.forward

    return backend


x, results = torch.tensor([-1.0, 0.0, 1.0]), []
for look in (True, False):
    print("with a print before the change" if look else "without it")
    torch.compiler.reset()
    results.append(torch.compile(lambda x: torch.relu(x), backend=swap_relu(look))(x))
    print("    result:", results[-1])

assert results[0].equal(torch.relu(x)) and results[1].equal(torch.sigmoid(x))
