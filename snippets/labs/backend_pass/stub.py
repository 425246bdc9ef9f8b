# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Write a pass: a backend that takes calls out of Dynamo's graph which change
nothing.

`simplify` gets a graph and removes, in place,

1. products with 1 and sums with 0, on either side: `x * 1`, `1 * x`, `x + 0`,
   `0 + x`;
2. calls of `sin`, `cos`, `exp`, `tanh`, `relu`, `add` and `mul`, as functions,
   methods or operators, that an earlier node has computed already.

What the function returns must stay the same: values, dtypes, and which tensors
it changes.
"""

import torch

from compile_lessons.labs import check


def simplify(graph: torch.fx.Graph) -> None: ...


def backend(graph_module, example_inputs):
    simplify(graph_module.graph)
    graph_module.recompile()
    return graph_module.forward


if __name__ == "__main__":
    check("backend_pass", __file__)
