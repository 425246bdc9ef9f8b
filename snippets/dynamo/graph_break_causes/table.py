"""Statements that break the graph, most of them because they act on something outside the program."""

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
FUNCTION = """import copy, json, logging, os, time, torch, warnings
log = logging.getLogger("course")
def f(x):
    y = x + 1
    {statement}
    return y * 2"""

rows = []
for statement in STATEMENTS.splitlines():
    exec(FUNCTION.format(statement=statement), scope := {})
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pipeline = capture(scope["f"], until="dynamo")(torch.ones(8))
    rows.append([statement, len(pipeline.graphs), pipeline.breaks[-1].gb_type])
show(Table(["statement", "graphs", "kind of break"], rows))

# region checks
assert all(row[1] == 2 for row in rows)


def seed(x):
    numpy.random.seed(0)
    return x + 1


import numpy

numpy.random.seed(5)
expected = numpy.random.rand()
numpy.random.seed(5)
torch.compile(seed, backend="aot_eager", fullgraph=True)(torch.ones(1))
assert numpy.random.rand() == expected  # the compiled function did not seed NumPy

texts = capture(lambda x: (x * 2, f"{x.sum()}"), until="dynamo")(torch.ones(2))
assert len(texts.graphs) == 1 and not texts.breaks  # an f-string of a tensor
# endregion
