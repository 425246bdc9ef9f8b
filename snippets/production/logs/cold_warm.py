# /// lesson
# needs = ["compiler"]
# ///
"""Lines that each log prints for one training step: without the caches of compiled graphs, and on a hit."""

import contextlib
import io

import torch

from compile_lessons import Table, show


def loss(x, w):
    return (torch.relu(x * w) + 1).sum()


def lines(log):
    torch.compiler.reset()
    with contextlib.redirect_stderr(io.StringIO()) as output:
        torch._logging.set_logs(**{log: True})
        torch.compile(loss)(torch.ones(64), torch.ones(64, requires_grad=True)).backward()
    return len(output.getvalue().splitlines())


logs = "bytecode graph_code guards aot_joint_graph aot_graphs pre_grad_graphs post_grad_graphs ir_pre_fusion "
logs += "fusion output_code kernel_code inductor_metrics"
rows = []
lines("guards")  # fills the caches
for log in logs.split():
    torch._inductor.config.fx_graph_cache = torch._functorch.config.enable_autograd_cache = False
    cold = lines(log)
    torch._inductor.config.fx_graph_cache = torch._functorch.config.enable_autograd_cache = True
    rows.append([log, cold, lines(log)])
show(Table(["log", "lines, caches off", "lines, caches hit"], rows))
# region checks
empty = [row[0] for row in rows if not row[2]]
assert empty == [
    "aot_joint_graph",
    "pre_grad_graphs",
    "post_grad_graphs",
    "ir_pre_fusion",
    "fusion",
    "inductor_metrics",
]
assert all(row[1] for row in rows)
# endregion
