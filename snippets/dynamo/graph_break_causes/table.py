"""One statement in the middle of a function: how many graphs, and will it go into one?"""

import contextlib
import io
import logging

import torch

from compile_lessons import Table, show

STATEMENTS = """print("halfway")
logging.getLogger("course").error("halfway")
warnings.warn("halfway")
time.time()
torch.manual_seed(0)
if y.sum() > 0: y = -y
n = y.sum().item()
n = float(y.sum())
n = y.tolist()
n = y.nonzero()
n = y[y > 2]
sorted([y, -y], key=lambda t: t.sum())
text = str(y)
file = open(os.devnull)
json.dumps([1, 2])
copy.deepcopy(y)"""
TEMPLATE = "import copy, json, logging, os, time, torch, warnings\ndef f(x):\n  y = x + 1\n  {}\n  return y * 2"

torch._logging.set_logs(dynamo=logging.ERROR)  # without advice on .item(): it is a row below
rows = []
for statement in STATEMENTS.splitlines():
    exec(compile(TEMPLATE.format(statement), "case.py", "exec"), scope := {})
    torch.compiler.reset()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        found = torch._dynamo.explain(scope["f"])(torch.ones(8))
        try:
            torch.compile(scope["f"], backend="eager", fullgraph=True)(torch.ones(8))
            whole = "one graph"
        except torch._dynamo.exc.Unsupported:
            whole = "error"
    rows.append([statement, found.graph_count, len(found.break_reasons), whole])

show(Table(["statement", "graphs", "breaks", "fullgraph=True"], rows))
causes, captured = len(rows), sum(row[3] == "one graph" for row in rows)
assert all(breaks == 1 for _, _, breaks, _ in rows)
assert (causes, captured) == (16, 4)
