# /// lesson
# data = ["checks.py", "lab.toml"]
# ///
"""Write a pass: a backend that removes useless calls from Dynamo's graph, and
only those.

`simplify` gets a graph and removes, in place,

1. multiplications by 1, with the number on either side: `x * 1`, `1 * x`;
2. calls of `sin`, `cos`, `exp`, `tanh`, `relu`, `add` and `mul`, as functions,
   methods or operators, whose result an earlier node has already computed.

The function must still return the same values, to the bit, and dtypes, and change
the same tensors. So `x + 0` stays: it turns -0.0 into 0.0.
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
