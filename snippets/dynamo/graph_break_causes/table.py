"""One statement in the middle of a function breaks the graph."""

import contextlib
import io

import torch

from compile_lessons import Table, show

STATEMENTS = """print("halfway")
logging.getLogger("course").error("halfway")
warnings.warn("halfway")
time.time()
torch.manual_seed(0)
file = open(os.devnull)
json.dumps([1, 2])
copy.deepcopy(y)"""
FUNCTION = """import copy, json, logging, os, time, torch, warnings
def f(x):
    y = x + 1
    {statement}
    return y * 2"""

rows = []
for statement in STATEMENTS.splitlines():
    exec(FUNCTION.format(statement=statement), scope := {})
    torch.compiler.reset()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        found = torch._dynamo.explain(scope["f"])(torch.ones(8))
    rows.append([statement, found.graph_count, len(found.break_reasons)])

show(Table(["statement", "graphs", "breaks"], rows))
actions = len(rows)
assert all(row[1:] == [2, 1] for row in rows) and actions == 8
