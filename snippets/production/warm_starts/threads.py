# /// lesson
# needs = ["compiler"]
# ///
"""An image is built with four threads. The service runs with two, then with four."""

import torch

# private: torch has no public counters
from torch._dynamo.utils import counters

from compile_lessons import Table, show

layers = [torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32)]
model = torch.nn.Sequential(*layers).eval()


def start(threads):
    """Compile as a new process does: memory is empty, earlier starts left files."""
    torch.compiler.reset()
    counters.clear()
    torch.set_num_threads(threads)
    with torch.inference_mode():
        torch.compile(model)(torch.ones(16, 32))
    counts = counters["aot_autograd"]
    return [threads, counts["autograd_cache_hit"], counts["autograd_cache_miss"]]


# region starts
rows = [
    ["the image is built", *start(4)],
    ["the service starts", *start(2)],
    ["fixed: the same number", *start(4)],
]
show(Table(["start", "threads", "hits", "misses"], rows))
# endregion

# region checks
assert [row[2:] for row in rows] == [[0, 1], [0, 1], [1, 0]]
# endregion
