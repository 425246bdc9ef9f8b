"""A context manager around one operation: is the function compiled?"""

import contextlib  # noqa: F401 (like os, for the statements)
import os  # noqa: F401
import threading
import warnings

import torch

from compile_lessons import Table, count_graphs, show

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

lock = threading.Lock()
warnings.simplefilter("ignore")  # detect_anomaly warns that it is slow
rows = []
for statement in STATEMENTS.splitlines():
    row = [statement]
    for before in ("pass", "x = x.sin().cos()"):
        exec(f"def step(x):\n    {before}\n    {statement}\n    return y * 2")
        row.append(count_graphs(step)(torch.ones(8)))  # noqa: F821
    rows.append(row)
show(Table(["statement", "graphs", "after two operations"], rows))

# region checks
assert [row[1] for row in rows] == [1] * 4 + [0] * 7
assert [row[2] for row in rows] == [1] * 11
# endregion
