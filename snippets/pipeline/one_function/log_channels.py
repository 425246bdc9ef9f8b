# /// lesson
# needs = ["compiler"]
# varies.values = ["scale"]
# ///
"""One compile in the log: channel, file of torch that writes, number of lines."""

import random
import re
from collections import Counter
from contextlib import redirect_stderr
from io import StringIO

import torch

from compile_lessons import Table, show

scale = random.uniform(1.7, 1.8)  # never seen before: what comes from a cache says less


def quick_gelu(x):
    return x * torch.sigmoid(scale * x)


channels = ["graph_code", "guards", "aot_graphs", "output_code", "recompiles", "graph_breaks"]
with redirect_stderr(StringIO()) as log:
    torch._logging.set_logs(**dict.fromkeys(channels, True))  # as TORCH_LOGS=graph_code,guards,… does
    torch.compile(quick_gelu)(torch.ones(512, requires_grad=True))

# a line of the log: level, time and process, file:line], [number of the compile] [__channel] text
lines = Counter(re.findall(r"(torch/\S+\.py):\d+\] .*\[__(\w+)\]", log.getvalue()))
rows = [[channel, file, count] for (file, channel), count in lines.items()]
silent = [channel for channel in channels if channel not in {row[0] for row in rows}]
show(Table(["TORCH_LOGS=", "written by", "lines"], rows + [[channel, "", 0] for channel in silent]))
assert silent == ["recompiles", "graph_breaks"]  # none happened
