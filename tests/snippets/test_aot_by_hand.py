"""Facts of the page "AOTAutograd by hand" that no program of it asserts."""

import torch
from functorch.compile import aot_function, aot_module, make_boxed_func


def keep_in(graphs):
    def keep(graph_module, example_inputs):
        graphs.append(graph_module)
        return make_boxed_func(graph_module.forward)

    return keep


def test_a_module_s_parameters_are_the_first_inputs_of_its_graph():
    graphs = []
    aot_module(torch.nn.Linear(3, 2), fw_compiler=keep_in(graphs))(torch.ones(4, 3))
    inputs = graphs[0].graph.find_nodes(op="placeholder")
    assert [list(node.meta["val"].shape) for node in inputs] == [[2, 3], [2], [4, 3]]  # weight, bias, input


def test_a_function_has_two_graphs_once_it_was_differentiated():
    graphs = []
    w = torch.ones(3, requires_grad=True)
    loss = aot_function(lambda w: (w * w).sum(), fw_compiler=keep_in(graphs))(w)
    assert len(graphs) == 1
    loss.backward()
    assert len(graphs) == 2
