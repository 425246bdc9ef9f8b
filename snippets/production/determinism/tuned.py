# /// lesson
# needs = ["compiler"]
# ///
"""Two candidates for a matmul differ in bits; deterministic chooses without timing."""

import warnings
from contextlib import redirect_stderr
from io import StringIO

import torch
import torch._functorch.config
import torch._inductor.config

# private: torch has no public counters
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def scores(queries, keys):
    return torch.bmm(queries, keys)


warnings.simplefilter("ignore")
torch.manual_seed(0)
queries = torch.randn(2, 32, 1000)
keys = torch.randn(2, 1000, 32)
eager = scores(queries, keys)
# compile and choose anew in each run
torch._functorch.config.enable_autograd_cache = False
torch._inductor.config.fx_graph_cache = False
torch._inductor.config.autotune_local_cache = False
# region settings
settings = [
    {"max_autotune_gemm_backends": "ATEN"},
    {"max_autotune_gemm_backends": "CPP"},
    {},
    {"deterministic": True},
    {"batch_invariant": True},
]
rows = []
for setting in settings:
    torch.compiler.reset()
    counters.clear()
    compiled = torch.compile(scores, options={"max_autotune": True, **setting})
    with redirect_stderr(StringIO()):  # without the log of the candidates
        equal = torch.equal(compiled(queries, keys), eager)
    timed = counters["inductor"]["select_algorithm_autotune"]
    # where times decide, the next compile may choose the other candidate
    answer = "depends on the times" if timed else str(equal)
    rows.append([str(setting), timed, answer])
columns = ["options, with max_autotune", "matmuls that were timed", "equal to eager"]
show(Table(columns, rows))
# endregion

# region checks
assert [row[1] for row in rows] == [0, 0, 1, 0, 1]
assert [row[2] for row in rows[:2]] == ["True", "False"]
assert rows[3][2] == "True"
# endregion
