"""Step 2: interpret the graph over ATen, one operator after the other, with shapes and
a profile.
"""

import operator
from collections import defaultdict
from time import perf_counter

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd  # private
from torch._inductor.decomposition import select_decomp_table  # private


# --8<-- [start:interpreter]
class Interpreter:
    """Run a graph node by node.

    ``seconds`` and ``shapes`` are those of each operator, and ``peak`` is the largest
    number of bytes that results took at one time.
    """

    def __init__(self, graph_module, free=True):
        self.module = graph_module
        self.nodes = list(graph_module.graph.nodes)
        self.seconds = defaultdict(float)
        self.shapes = {}
        self.peak = 0
        last_use = {}
        for node in self.nodes:
            for used in node.all_input_nodes:
                last_use[used] = node
        self.unused_after = defaultdict(list)
        for used, node in last_use.items():
            if free:
                self.unused_after[node].append(used)

    def __call__(self, *inputs):
        values = {}
        inputs = iter(inputs)
        for node in self.nodes:
            began = perf_counter()
            values[node] = self.execute(node, values, inputs)
            self.seconds[node] += perf_counter() - began
            self.note(node, values)
            for used in self.unused_after[node]:
                del values[used]
        return values[node]  # the last node is the output

    def execute(self, node, values, inputs):
        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), values.__getitem__)
        match node.op:
            case "placeholder":
                return next(inputs)
            case "get_attr":  # a constant of the graph
                return operator.attrgetter(node.target)(self.module)
            case "call_function":
                return node.target(*args, **kwargs)
            case "output":
                return args[0]
        raise NotImplementedError(
            f"{node.op} {node.name}: run AOTAutograd first, which leaves only functions"
        )

    # --8<-- [end:interpreter]
    # --8<-- [start:profile]
    def note(self, node, values):
        """Note the shape of a node's result, and the bytes that all results take."""
        if torch.is_tensor(values[node]):
            self.shapes[node] = tuple(values[node].shape)
        self.peak = max(self.peak, bytes_of_results(values))

    def profile(self):
        """Return operator, shape and microseconds of each call, the slowest first."""
        calls = [node for node in self.nodes if node.op == "call_function"]
        calls.sort(key=lambda node: self.seconds[node], reverse=True)
        rows = []
        for node in calls:
            microseconds = self.seconds[node] * 1e6
            rows.append((str(node.target), self.shapes.get(node), microseconds))
        return rows


def bytes_of_results(values):
    """Return the bytes of what operators returned; views share a tensor's bytes."""
    sizes = {}
    for node, value in values.items():
        if node.op == "call_function" and torch.is_tensor(value):
            storage = value.untyped_storage()
            sizes[storage.data_ptr()] = storage.nbytes()
    return sum(sizes.values())


# --8<-- [end:profile]
# --8<-- [start:backend]
def backend_of(compile_graph, decompositions=None):
    """Return a backend that has AOTAutograd make ATen graphs, and compiles each one
    with ``compile_graph``.
    """

    def compile_boxed(graph_module, fake_inputs):
        return make_boxed_func(compile_graph(graph_module))

    return aot_autograd(
        # of the forward graph, and of the backward graph when there is one
        fw_compiler=compile_boxed,
        partition_fn=min_cut_rematerialization_partition,
        decompositions=select_decomp_table() | (decompositions or {}),
    )


# --8<-- [end:backend]
if __name__ == "__main__":
    interpreters = []

    def interpret(graph_module):
        interpreters.append(Interpreter(graph_module))
        return interpreters[-1]

    compiled = torch.compile(torch.nn.functional.softmax, backend=backend_of(interpret))
    compiled(torch.randn(1000, 1000), dim=-1)
    for row in interpreters[0].profile():
        print(*row)
