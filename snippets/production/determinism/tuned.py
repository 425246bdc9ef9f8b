# /// lesson
# needs = ["compiler"]
# ///
"""Two candidates for a matmul differ in bits, and deterministic chooses between them without timing."""

import warnings
from contextlib import redirect_stderr
from io import StringIO

import torch
import torch._functorch.config
import torch._inductor.config as inductor
from torch._dynamo.utils import counters

from compile_lessons import Table, show


def scores(queries, keys):
    return torch.bmm(queries, keys)


warnings.simplefilter("ignore")
torch.manual_seed(0)
queries, keys, rows = torch.randn(2, 32, 1000), torch.randn(2, 1000, 32), []
eager = scores(queries, keys)
torch._functorch.config.enable_autograd_cache = False  # compile and choose anew in each run
inductor.fx_graph_cache = inductor.autotune_local_cache = False
settings = [{"max_autotune_gemm_backends": "ATEN"}, {"max_autotune_gemm_backends": "CPP"}, {}]
for setting in (*settings, {"deterministic": True}, {"batch_invariant": True}):
    torch.compiler.reset()
    counters.clear()
    options = {"max_autotune": True, **setting}
    with redirect_stderr(StringIO()):  # without the log of the candidates
        result = torch.compile(scores, options=options)(queries, keys)
    timed = counters["inductor"]["select_algorithm_autotune"]
    rows.append([str(setting), timed, "depends on the times" if timed else str(torch.equal(result, eager))])
show(Table(["options, with max_autotune", "matmuls that were timed", "equal to eager mode"], rows))
# region checks
assert [row[1] for row in rows] == [0, 0, 1, 0, 1]
assert [row[2] for row in rows[:2]] == ["True", "False"] and rows[3][2] == "True"
# endregion
