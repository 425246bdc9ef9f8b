# /// lesson
# needs = ["compiler"]
# env.TORCH_LOGS = "graph_code,aot_graphs,output_code"
# env.TORCH_LOGS_FORMAT = "%(message)s"
# varies.output = ['__compiled_fn_\w+']
# ///
"""The log prints the same stages, without a change to the program."""

import torch


@torch.compile
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


quick_gelu(torch.linspace(-4, 4, 512))
