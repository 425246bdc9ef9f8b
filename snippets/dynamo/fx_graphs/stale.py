"""A backend that changes the graph: without recompile(), the result depends on a print."""

import torch


def swap_relu(look, recompile):
    def backend(graph_module, example_inputs):
        if look:
            print("    before:", graph_module.code.split("\n")[5].strip())
        for node in graph_module.graph.nodes:
            if node.target is torch.relu:
                node.target = torch.sigmoid
        if recompile:
            graph_module.graph.lint()
            graph_module.recompile()
        print("    after: ", graph_module.code.split("\n")[5].strip())
        return graph_module.forward

    return backend


x, results = torch.tensor([-1.0, 0.0, 1.0]), []
for look, recompile in ((True, False), (False, False), (True, True)):
    print(f"print before the change: {look}, recompile(): {recompile}")
    torch.compiler.reset()
    results.append(torch.compile(lambda x: torch.relu(x), backend=swap_relu(look, recompile))(x))

# region checks
assert [result.equal(torch.sigmoid(x)) for result in results] == [False, True, True]
# endregion
