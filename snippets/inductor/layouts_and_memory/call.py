# /// lesson
# needs = ["compiler"]
# ///
"""The function that allocates, calls kernels and frees, for three residual layers."""

import torch

from compile_lessons import capture

layers = [torch.randn(256, 256) for _ in range(3)]


def network(x):
    for weight in layers:
        x = torch.nn.functional.gelu(x @ weight) + x
    return x


[graph] = capture(network, machine_code=False)(torch.randn(1024, 256)).graphs
[lowered] = graph.inductor
code = lowered.output_code
lines = code[code.index("    def call(") : code.index("runner =")].splitlines()
code_lines = [line for line in lines if line.strip()]
print("\n".join(line[4:] for line in code_lines if line.lstrip()[0] != "#"))

allocations = code.count(" = empty_strided_cpu(")
# region checks
kinds = [reuse.kind for reuse in lowered.reuses]
assert allocations == 2
assert (kinds.count("in place"), kinds.count("reuse")) == (3, 1)
# endregion
