# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Compile every bucket at the start, then forbid compiles."""

import torch
from _service import classify, graphs, padded, runs, traffic
from _service import counting as backend

from compile_lessons import Table, show

# region copy
torch._dynamo.config.fail_on_recompile_limit_hit = True  # a warm-up beyond the limit raises an error
compiled = torch.compile(classify, backend=backend, dynamic=False, recompile_limit=64)  # leave backend out for Inductor


def warm_up(batches=(1, 2, 4, 8), lengths=(16, 32, 48, 64)):
    with torch.inference_mode():  # as the requests are served
        for batch in batches:
            for length in lengths:
                compiled(torch.ones(batch, length, dtype=torch.long))
    torch.compiler.set_stance("fail_on_recompile")


# endregion
def serve(size):
    with torch.inference_mode():
        return compiled(padded(torch.randint(1, 100, size)))


warm_up()
at_start = len(graphs)
served = [serve(size) for size in traffic()]
rows = [[f"{len(served)} requests", len(graphs) - at_start, ""]]
for stance in ("fail_on_recompile", "eager_on_recompile"):
    torch.compiler.set_stance(stance)
    try:
        served = f"served, {len(serve((9, 20)))} rows"
    except RuntimeError as error:
        served = str(error).split(" filename")[0]
    rows.append([f"a batch of 9, {stance}", len(graphs) - at_start, served])
show(Table(["after the warm-up", "compiles", "result"], rows))
# region checks
assert at_start == 16 and [row[1] for row in rows] == [0, 0, 0] and "fail_on_recompile" in rows[1][2]
torch.compiler.reset()
torch.compiler.set_stance("default")
graphs.clear()
compiled = torch.compile(classify, backend=backend, dynamic=False)
try:
    warm_up()
    raise AssertionError("the default limit is enough for 16 buckets")
except torch._dynamo.exc.FailOnRecompileLimitHit:
    assert len(graphs) == 8
torch._dynamo.config.fail_on_recompile_limit_hit = False
torch.compiler.reset()
warm_up()
runs.clear()
serve((8, 64))  # the last bucket: no error, and no compiled code runs
assert not runs
# endregion
