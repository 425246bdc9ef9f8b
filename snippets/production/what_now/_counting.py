"""A backend that compiles nothing and counts."""

graphs, runs = [], []


def counting(graph_module, example_inputs):
    """Keep the graph in ``graphs``, and count the calls of compiled code in ``runs``."""
    graphs.append(graph_module)
    return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)
