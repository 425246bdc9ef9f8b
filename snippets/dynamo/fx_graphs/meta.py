"""Print what Dynamo stores in node.meta."""

import textwrap

import torch

from compile_lessons import keep_graphs


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 8)

    def forward(self, x):
        return self.linear(x)


kept = keep_graphs()
torch.compile(Block(), backend=kept)(torch.ones(2, 4))
nodes = {node.name: node for node in kept.graphs[0].graph.nodes}
meta = dict(nodes["linear"].meta)
# the keys of nn_module_stack are addresses
meta["nn_module_stack"] = list(meta["nn_module_stack"].values())

for key in ("example_value", "source_fn_stack", "nn_module_stack", "stack_trace"):
    text = str(meta[key]).replace(__file__, "meta.py")
    text = textwrap.fill(text, 90, replace_whitespace=False)
    print(f"{key}:")
    print(textwrap.indent(text, "    "))

# region checks
rows, columns = meta["example_value"].shape
assert (rows, columns) == (2, 8)
assert "self.linear(x)" in meta["stack_trace"]
# endregion
