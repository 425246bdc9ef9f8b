# /// lesson
# needs = ["compiler"]
# ///
"""The head of BERT's language model after its matmul: bias, GELU, layer norm."""

import torch
import torch.nn.functional as F

from compile_lessons import capture


def head(x, bias, weight, shift):
    y = F.gelu(x + bias)
    return F.layer_norm(y, (512,), weight, shift)


torch.set_num_threads(2)  # the code depends on the number
x = torch.randn(256, 512)
bias, weight, shift = torch.randn(3, 512)
[graph] = capture(head, machine_code=False)(x, bias, weight, shift).graphs
[lowered] = graph.inductor

# region checks
assert (len(lowered.kernels), len(lowered.ir)) == (1, 4)
# endregion
