"""A backend that splits the graph at attention and compiles what is between."""

import torch
from torch import nn

# private: torch has no public function that compiles a piece of a graph
from torch._inductor import standalone_compile
from torch.fx.passes.split_module import split_module


# --8<-- [start:split]
def split(graph_module, operator, keep_original_order=True):
    """Give each call of the operator its own number, and the nodes between two one."""
    numbers = {}
    number = 0
    for node in graph_module.graph.nodes:
        is_operator = node.target is operator
        number += is_operator
        numbers[node] = number
        number += is_operator
    return split_module(
        graph_module, None, numbers.get, keep_original_order=keep_original_order
    )


# --8<-- [end:split]


# --8<-- [start:compile]
class Piece(nn.Module):
    """Code for any number of tokens, and more code for some numbers."""

    def __init__(self, graph_module, compile_sizes):
        super().__init__()
        placeholders = graph_module.graph.find_nodes(op="placeholder")
        inputs = [node.meta["example_value"] for node in placeholders]
        is_size = [isinstance(value, torch.SymInt) for value in inputs]
        self.index_of_size = is_size.index(True)
        self.graph_module = graph_module
        self.compile_sizes = compile_sizes
        self.code = {"any": compile_piece(graph_module, inputs, "from_tracing_context")}
        self.calls = []

    def forward(self, *args):
        size = args[self.index_of_size]
        key = str(size) if size in self.compile_sizes else "any"
        if key not in self.code:
            code = compile_piece(self.graph_module, args, "from_example_inputs")
            self.code[key] = code
        self.calls.append((size, key))
        return self.code[key](*args)


def compile_piece(graph_module, inputs, dynamic_shapes):
    return standalone_compile(graph_module, inputs, dynamic_shapes=dynamic_shapes)


# --8<-- [end:compile]


# --8<-- [start:backend]
class Piecewise:
    """A backend: the graph is split at an operator, and Inductor compiles the rest."""

    def __init__(self, operator, compile_sizes=()):
        self.operator = operator
        self.compile_sizes = compile_sizes
        self.graphs = []

    def __call__(self, graph_module, example_inputs):
        graph = split(graph_module, self.operator)
        for name, piece in graph.named_children():
            if not piece.graph.find_nodes(op="call_function", target=self.operator):
                setattr(graph, name, Piece(piece, self.compile_sizes))
        self.graphs.append(graph)
        return graph.forward


# --8<-- [end:backend]
