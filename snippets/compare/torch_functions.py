# /// lesson
# needs = ["peers", "compiler"]
# timeout = 300
# ///
"""The five functions under torch.compile, as they are."""

import five
import torch
from _outcome import report

from compile_lessons import keep_graphs


def branch_cond(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))


branch_graphs = keep_graphs("inductor")
center_graphs = keep_graphs("inductor")
functions = {
    "softmax": torch.compile(five.softmax),
    "mlp": torch.compile(five.mlp),
    "step": torch.compile(five.step),
    "branch": torch.compile(five.branch, backend=branch_graphs),
    "center": torch.compile(five.center, backend=center_graphs),
    "branch, torch.cond": torch.compile(branch_cond, fullgraph=True),
}
outcomes = report(functions, torch.from_numpy)
versions = len(center_graphs.graphs)
print("graphs for both branches:", len(branch_graphs.graphs))
print("graphs for four sizes:", versions)
# region checks
as_is = outcomes["branch"]
rewritten = outcomes["branch, torch.cond"]
sizes = outcomes["center"]
training = outcomes["step"]
assert set(outcomes.values()) == {"as eager"}
assert len(branch_graphs.graphs) == 3
assert versions == 2
# endregion
