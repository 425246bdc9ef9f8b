# /// lesson
# env = {TORCH_LOGS = "-all"}
# ///
"""Compile every bucket at the start, then forbid compiles."""

import torch
from _service import classify, pad, traffic

from compile_lessons import Table, keep_graphs, show

backend = keep_graphs()
# region copy
# a warm-up beyond the limit raises an error
torch.compiler.config.fail_on_recompile_limit_hit = True
options = {"dynamic": False, "recompile_limit": 64}
compiled = torch.compile(classify, backend=backend, **options)  # or without backend


def warm_up(batches=(1, 2, 4, 8), lengths=(16, 32, 48, 64)):
    with torch.inference_mode():  # as the requests are served
        for batch in batches:
            for length in lengths:
                compiled(torch.ones(batch, length, dtype=torch.long))
    torch.compiler.set_stance("fail_on_recompile")


# endregion
def serve(size):
    with torch.inference_mode():
        return compiled(pad(torch.randint(1, 100, size)))


warm_up()
at_start = len(backend.graphs)
results = [serve(size) for size in traffic()]
rows = [[f"{len(results)} requests", len(backend.graphs) - at_start, ""]]
for stance in ("fail_on_recompile", "eager_on_recompile"):
    torch.compiler.set_stance(stance)
    try:
        outcome = f"served, {len(serve((9, 20)))} rows"
    except RuntimeError as error:
        outcome = str(error).split(" filename")[0]
    name = f"a batch of 9, {stance}"
    rows.append([name, len(backend.graphs) - at_start, outcome])
show(Table(["after the warm-up", "compiles", "result"], rows))

# region checks
assert at_start == 16
assert [row[1] for row in rows] == [0, 0, 0]
assert "fail_on_recompile" in rows[1][2]
# endregion
