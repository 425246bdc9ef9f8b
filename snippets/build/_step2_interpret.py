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
    """Run a graph node by node. ``seconds`` and ``shapes`` of each operator, and the
    ``peak`` of bytes, are kept.
    """

    def __init__(self, graph_module, free=True):
        self.module, self.nodes = graph_module, list(graph_module.graph.nodes)
        self.seconds, self.shapes, self.peak = defaultdict(float), {}, 0
        last_use = {used: node for node in self.nodes for used in node.all_input_nodes}
        self.unused_after = defaultdict(list)
        for used, node in last_use.items():
            if free:
                self.unused_after[node].append(used)

    def __call__(self, *inputs):
        values, inputs = {}, iter(inputs)
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
        if isinstance(values[node], torch.Tensor):
            self.shapes[node] = tuple(values[node].shape)
        results = (
            value for made, value in values.items() if made.op == "call_function"
        )
        storages = {
            t.untyped_storage().data_ptr(): t.untyped_storage()
            for t in results
            if isinstance(t, torch.Tensor)
        }
        self.peak = max(
            self.peak, sum(storage.nbytes() for storage in storages.values())
        )

    def profile(self):
        """Return operator, shape and microseconds of each call, the slowest first."""
        calls = [node for node in self.nodes if node.op == "call_function"]
        calls.sort(key=self.seconds.__getitem__, reverse=True)
        return [
            (str(node.target), self.shapes.get(node), self.seconds[node] * 1e6)
            for node in calls
        ]


# --8<-- [end:profile]
# --8<-- [start:backend]
def backend_of(compile_graph, decompositions=None):
    """Return a backend that has AOTAutograd make ATen graphs, and compiles each one
    with ``compile_graph``.
    """

    def compile_boxed(graph_module, example_inputs):
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
    backend = backend_of(
        lambda graph_module: (
            interpreters.append(Interpreter(graph_module)) or interpreters[-1]
        )
    )
    torch.compile(torch.nn.functional.softmax, backend=backend)(
        torch.randn(1000, 1000), dim=-1
    )
    for row in interpreters[0].profile():
        print(*row)
