# /// lesson
# needs = ["compiler"]
# ///
"""An image is built with four threads. The service runs with two, then with four."""

import torch
from torch._dynamo.utils import counters

from compile_lessons import Table, show

model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32)).eval()


def start(threads):
    """Compile as a new process does: nothing in memory, the files of earlier starts on disk."""
    torch.compiler.reset()
    counters.clear()
    torch.set_num_threads(threads)
    with torch.inference_mode():
        torch.compile(model)(torch.ones(16, 32))
    found = counters["aot_autograd"]
    return [threads, found["autograd_cache_hit"], found["autograd_cache_miss"]]


rows = [["the image is built", *start(4)], ["the service starts", *start(2)]]
rows.append(["fixed: the same number", *start(4)])
show(Table(["start", "threads", "hits", "misses"], rows))
# region checks
assert [row[2:] for row in rows] == [[0, 1], [0, 1], [1, 0]]
# endregion
