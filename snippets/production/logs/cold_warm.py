# /// lesson
# needs = ["compiler"]
# ///
"""Count the lines that each log prints for one training step: caches off, and a hit."""

import contextlib
import io

import torch

from compile_lessons import Table, show

LOGS = (
    *("bytecode", "graph_code", "guards", "aot_joint_graph", "aot_graphs"),
    *("pre_grad_graphs", "post_grad_graphs", "ir_pre_fusion", "fusion"),
    *("output_code", "kernel_code", "inductor_metrics"),
)


def loss(x, w):
    return (torch.relu(x * w) + 1).sum()


def use_caches(use):
    torch._inductor.config.fx_graph_cache = use
    torch._functorch.config.enable_autograd_cache = use


def count_lines(log):
    torch.compiler.reset()
    w = torch.ones(64, requires_grad=True)
    with contextlib.redirect_stderr(io.StringIO()) as output:
        torch._logging.set_logs(**{log: True})  # private, but documented
        torch.compile(loss)(torch.ones(64), w).backward()
    return len(output.getvalue().splitlines())


count_lines("guards")  # fills the caches
rows = []
for log in LOGS:
    use_caches(False)
    cold = count_lines(log)
    use_caches(True)
    rows.append([log, cold, count_lines(log)])
show(Table(["log", "lines, caches off", "lines, caches hit"], rows))

# region checks
empty = [log for log, _, hit in rows if hit == 0]
assert empty == [LOGS[3], *LOGS[5:9], "inductor_metrics"]
assert all(cold > 0 for _, cold, _ in rows)
# endregion
