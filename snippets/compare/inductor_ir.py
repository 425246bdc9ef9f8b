# /// lesson
# needs = ["compiler"]
# ///
"""Softmax in torch.compile: the FX graph, and the one kernel that Inductor writes."""

import torch
from five import softmax

from compile_lessons import capture

pipeline = capture(softmax, machine_code=False)(torch.ones(64, 128))
[graph] = pipeline.graphs
print(graph.dynamo, end="\n\n")
[kernel] = pipeline.kernels
print(kernel)
# region checks
assert kernel.source.count("for(int64_t x1=") == 3
assert "local_buffer_data_0" in kernel.source
# endregion
