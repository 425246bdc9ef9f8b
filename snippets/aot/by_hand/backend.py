"""A backend with a compiler for each direction."""

# region copy
import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd  # private: no public name
from torch._inductor.decomposition import select_decomp_table  # private

graphs = {}


def compile_forward(graph_module, example_inputs):
    graphs["forward"] = graph_module.graph
    return make_boxed_func(graph_module.forward)  # generate code here


def compile_backward(graph_module, example_inputs):
    graphs["backward"] = graph_module.graph
    return make_boxed_func(graph_module.forward)


backend = aot_autograd(
    fw_compiler=compile_forward,
    bw_compiler=compile_backward,
    decompositions=select_decomp_table(),
)
# endregion
linear = torch.nn.Linear(8, 8)
model = torch.nn.Sequential(linear, torch.nn.GELU(), torch.nn.LayerNorm(8))
torch.compile(model, backend=backend)(torch.randn(4, 8)).sum().backward()

counts = []
for direction, graph in graphs.items():
    inputs = len(graph.find_nodes(op="placeholder"))
    calls = [node.target for node in graph.nodes if node.op == "call_function"]
    pointwise = [
        call for call in calls if torch.Tag.pointwise in getattr(call, "tags", ())
    ]
    counts.append((len(calls), len(pointwise)))
    print(f"{direction}: {inputs} inputs, {len(calls)} operators,")
    print(f"    {len(pointwise)} of them pointwise")
# region checks
assert list(graphs) == ["forward", "backward"]
assert counts[1][0] > counts[0][0]
assert all(pointwise > operators / 2 for operators, pointwise in counts)
# endregion
