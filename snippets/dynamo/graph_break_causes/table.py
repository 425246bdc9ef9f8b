"""Statements that break the graph: most act on something outside the program."""

import contextlib
import io

import torch

from compile_lessons import Table, capture, show

STATEMENTS = """print("halfway")
log.error("halfway")
warnings.warn("halfway")
time.time()
torch.manual_seed(0)
file = open(os.devnull)
os.path.exists("weights.pt")
copy.deepcopy(y)
json.dumps([1, 2])"""

PROGRAM = """import copy, json, logging, os, time, torch, warnings
log = logging.getLogger("course")
def step(x):
    y = x + 1
    {statement}
    return y * 2"""

rows = []
for statement in STATEMENTS.splitlines():
    exec(PROGRAM.format(statement=statement))
    with contextlib.redirect_stdout(None), contextlib.redirect_stderr(io.StringIO()):
        pipeline = capture(step, until="dynamo")(torch.ones(8))  # noqa: F821
    rows.append([statement, len(pipeline.graphs), pipeline.breaks[-1].gb_type])
show(Table(["statement", "graphs", "kind of break"], rows))

# region checks
assert all(row[1] == 2 for row in rows)
# endregion
