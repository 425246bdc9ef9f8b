"""A context manager around one operation: one graph, or none."""

import contextlib
import os  # noqa: F401
import threading
import warnings

import torch

from compile_lessons import Table, capture, show

STATEMENTS = """with torch.no_grad(): y = x + 1
with torch.autocast("cpu"): y = x + 1
with torch.profiler.record_function("step"): y = x + 1
with contextlib.nullcontext(): y = x + 1
with contextlib.ExitStack() as stack: stack.enter_context(torch.no_grad()); y = x + 1
with lock: y = x + 1
with open(os.devnull): y = x + 1
with contextlib.redirect_stdout(None): y = x + 1
with torch.device("cpu"): y = x + 1
with torch.autograd.graph.save_on_cpu(): y = x + 1
with torch.autograd.detect_anomaly(): y = x + 1"""
FUNCTION = """def f(x):
    {statement}
    return y * 2"""


def count_graphs(statement):
    exec(FUNCTION.format(statement=statement), globals())
    return len(capture(f, until="dynamo")(torch.ones(8)).graphs)  # noqa: F821


lock = threading.Lock()
warnings.simplefilter("ignore")  # detect_anomaly warns that it is slow
rows = [[statement, count_graphs(statement)] for statement in STATEMENTS.splitlines()]
show(Table(["statement", "graphs"], rows))

# region checks
assert [row[1] for row in rows] == [1] * 4 + [0] * 7


@contextlib.contextmanager
def scope():
    yield


enter = "with contextlib.ExitStack() as stack: stack.enter_context({context}); y = x + 1"
assert count_graphs("with contextlib.ExitStack(): y = x + 1") == 1
assert [count_graphs(enter.format(context=name)) for name in ("scope()", "contextlib.nullcontext()")] == [1, 0]
# endregion
