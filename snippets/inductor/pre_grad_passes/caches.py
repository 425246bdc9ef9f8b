# /// lesson
# needs = ["compiler"]
# ///
"""A pre-grad pass with and without a uuid, and the caches."""

import torch
from torch._dynamo.utils import counters  # private: torch has no public counter

# private: torch has no public way to add a pass, nor a cache folder for one block
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.utils import fresh_cache  # private

from compile_lessons import Table, show

runs = []


# region passes
def plain_function(graph):
    runs.append(graph)


class WithUuid(CustomGraphPass):
    def __init__(self, version):
        self.version = version

    def __call__(self, graph):
        runs.append(graph)

    def uuid(self):
        return f"my pass {self.version}"


# endregion
def hit_and_runs(custom_pass):
    torch.compiler.reset()  # as a new process does: nothing in memory, files on disk
    counters.clear()
    runs.clear()
    options = {"pre_grad_custom_pass": custom_pass}
    torch.compile(torch.sin, options=options)(torch.ones(8))
    hit = counters["aot_autograd"]["autograd_cache_hit"]
    return ["hit" if hit else "miss", len(runs)]


cases = [
    ("a function", plain_function),
    ("the function again", plain_function),
    ("uuid, version 1", WithUuid(1)),
    ("version 1 again", WithUuid(1)),
    ("version 2", WithUuid(2)),
]
with fresh_cache():
    rows = [[name, *hit_and_runs(custom_pass)] for name, custom_pass in cases]
show(Table(["compile with", "AOTAutograd's cache", "runs of the pass"], rows))
# region checks
assert [row[1] for row in rows] == ["miss", "hit", "miss", "hit", "miss"]
late = hasattr(torch._inductor.config, "pre_grad_pass_timing")  # since torch 2.12
assert [row[2] for row in rows] == [1, 1, 1, 0 if late else 1, 1]
# endregion
