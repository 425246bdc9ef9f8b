"""Print what Dynamo stores in node.meta."""

import textwrap

import torch


def keep_nodes(graph_module, example_inputs):
    nodes.update({node.name: node for node in graph_module.graph.nodes})
    return graph_module.forward


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 8)

    def forward(self, x):
        return self.linear(x)


nodes = {}
torch.compile(Block(), backend=keep_nodes)(torch.ones(2, 4))
meta = dict(nodes["linear"].meta)
meta["nn_module_stack"] = list(meta["nn_module_stack"].values())  # its keys are addresses

for key in ("example_value", "source_fn_stack", "nn_module_stack", "stack_trace"):
    text = str(meta[key]).replace(__file__, "meta.py")
    print(f"{key}:", textwrap.indent(textwrap.fill(text, 90, replace_whitespace=False), "    "), sep="\n")

# region checks
rows, columns = meta["example_value"].shape
assert (rows, columns) == (2, 8) and "self.linear(x)" in meta["stack_trace"]
# endregion
