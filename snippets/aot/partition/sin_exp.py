"""What the forward graph of sin and exp saves for the backward graph."""

import torch

from compile_lessons import capture


# region capture
def sin_exp(x):
    return x.sin().exp()


x = torch.ones(4, requires_grad=True)
[graph] = capture(sin_exp, until="aot")(x).graphs
print(graph.forward.code)
print(graph.backward.code)
# endregion
# region checks
assert [value.name for value in graph.saved] == ["primals_1", "exp"]
assert "return (exp, primals_1, exp)" in graph.forward.code
# endregion
