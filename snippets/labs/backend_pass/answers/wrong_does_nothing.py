# Only two are needed

import torch


def simplify(graph: torch.fx.Graph) -> None:
    graph.lint()


def backend(graph_module, example_inputs):
    simplify(graph_module.graph)
    graph_module.recompile()
    return graph_module.forward
